package io.ringmaster.server.read;

import io.ringmaster.core.status.LocalClusterStatus;
import io.ringmaster.core.status.LocalClusterStatus.DatacenterLine;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.ClusterStatus.Part;
import io.ringmaster.wire.api.Finding;
import io.ringmaster.wire.api.Finding.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The findings of all datacenters without duplicates. */
final class FleetFindings {
    /** Codes of problems that may clear automatically, or that leave time. */
    private static final Set<ErrorCode> WARNINGS = EnumSet.of(
            ErrorCode.PEER_UNREACHABLE,
            ErrorCode.POOL_UNAVAILABLE,
            ErrorCode.STORE_UNAVAILABLE,
            ErrorCode.NOT_LEADER,
            ErrorCode.DISK_FILLING);

    private static final String SILENT = " does not answer";

    private record Key(String subject, String message) {}

    private FleetFindings() {}

    static List<Finding> of(LocalClusterStatus here, List<Part> parts, Collection<ClusterStatus> answers) {
        var all = new ArrayList<Finding>();
        here.findings().forEach(f -> all.add(finding(f)));
        answers.forEach(t -> all.addAll(t.findings()));
        parts.forEach(p -> add(all, p.datacenter(), p.silence(), p.lastHeard()));
        return sorted(all);
    }

    /** The findings of this datacenter alone. */
    static List<Finding> of(View view, LocalClusterStatus here) {
        var all = new ArrayList<Finding>();
        here.findings().forEach(f -> all.add(finding(f)));
        for (DatacenterLine line : here.datacenters()) {
            var observation = view.peers().get(line.name());
            add(all, line.name(), line.local() ? null : line.silence(), observation == null ? null : observation.at());
        }
        return sorted(all);
    }

    private static void add(
            List<Finding> all, DatacenterName datacenter, @Nullable String silence, @Nullable Instant lastHeard) {
        if (silence != null) {
            all.add(new Finding(
                    Severity.WARNING,
                    datacenter.value(),
                    "the server of " + datacenter + SILENT + ": " + silence,
                    lastHeard,
                    Advice.of("its nodes keep serving, and are shown as last reported; start the server or fix the"
                            + " network")));
        }
    }

    private static List<Finding> sorted(List<Finding> all) {
        var once = new LinkedHashMap<Key, Finding>();
        all.forEach(f -> once.putIfAbsent(new Key(f.subject(), withoutReason(f.message())), f));
        return once.values().stream()
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    /** A silent server is one finding, by any reporter and with any reason. */
    private static String withoutReason(String message) {
        int silent = message.indexOf(SILENT);
        return silent < 0 ? message : message.substring(0, silent);
    }

    private static Finding finding(LocalClusterStatus.Finding f) {
        boolean warns = WARNINGS.contains(f.problem().code()) || f.problem().nextStep() == null;
        return new Finding(
                warns ? Severity.WARNING : Severity.ERROR,
                f.subject(),
                (f.problem().field() == null ? "" : f.problem().field() + ": ")
                        + f.problem().message(),
                f.since(),
                f.problem().nextStep());
    }
}
