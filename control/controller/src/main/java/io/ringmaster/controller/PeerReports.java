package io.ringmaster.controller;

import io.ringmaster.core.decide.PeerReportBuilder;
import io.ringmaster.core.decide.UnplannableSpec;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.ports.Peers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Publishes this datacenter's report, at once when it has news. Keeps what must be remembered of those of others. */
final class PeerReports {
    /**
     * A report without news gets a new time this often: peers take the report with the latest time, and a deposed
     * leader may have published one after the first of its successor.
     */
    private static final Duration REPUBLISH_AFTER = Duration.ofSeconds(5);

    private final Peers peers;
    private final TreeMap<ClusterName, ClusterPart> parts = new TreeMap<>();
    /** Peers that reported since the last decision was stored. */
    private final Set<DatacenterName> unsaved = new TreeSet<>();

    private @Nullable DatacenterReport published;

    PeerReports(Peers peers) {
        this.peers = peers;
    }

    void clear() {
        published = null;
        parts.clear();
        unsaved.clear();
    }

    Set<DatacenterName> known() {
        return peers.known();
    }

    void received(DatacenterName peer) {
        unsaved.add(peer);
    }

    /** The parts of received reports that must survive a restart, such as the addresses of seeds. */
    List<Change> unsaved(View now, Records records) {
        List<Change> changes = new ArrayList<>();
        for (DatacenterName name : unsaved) {
            Observation<DatacenterReport> received =
                    Objects.requireNonNull(now.peers().get(name), "a received report is in the view");
            received.current().ifPresent(report -> {
                PeerRecord fresh = new PeerRecord(PeerReportBuilder.persistent(report), received.at());
                boolean known = records.get(fresh.key()) instanceof PeerRecord old
                        && PeerReportBuilder.equalExceptTime(old.report(), fresh.report());
                if (!known) {
                    changes.add(new Change.Put(fresh));
                }
            });
        }
        return changes;
    }

    void saved() {
        unsaved.clear();
    }

    void publish(View view, Collection<ClusterName> decided, Map<ClusterName, UnplannableSpec> unplannable) {
        boolean news =
                published == null || published.machines() != view.machines().size();
        for (ClusterName cluster : decided) {
            ClusterPart part = PeerReportBuilder.part(view, cluster, unplannable.get(cluster))
                    .orElse(null);
            ClusterPart before = part == null ? parts.remove(cluster) : parts.put(cluster, part);
            news |= !Objects.equals(before, part);
        }
        news |= published != null
                && !published.apiTokens().equals(List.copyOf(view.apiTokens().values()));
        news |= published != null && published.at().plus(REPUBLISH_AFTER).isBefore(view.now());
        if (news) {
            published = PeerReportBuilder.of(view, parts.values());
            peers.publish(published);
        }
    }
}
