package io.ringmaster.server.read;

import io.ringmaster.core.spec.ClusterSpecs;
import io.ringmaster.core.spec.ParsedSpec;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.ClusterSpecBuilder;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.SharingAsk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The clusters of a what-if question, each with a unique name. */
final class WhatIfClusters {
    /** Placement of this many nodes takes several seconds. */
    static final int NODES_LIMIT = 500;

    private static final int NAME_LIMIT = 48;

    private final List<ClusterSpec> specs = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Set<ClusterName> names = new HashSet<>();

    private WhatIfClusters() {}

    /** @throws ProblemException with every invalid field of every spec */
    static List<ClusterSpec> of(List<SharingAsk.Entry> entries) {
        WhatIfClusters mix = new WhatIfClusters();
        if (entries.isEmpty()) {
            mix.refuse("clusters", "is empty, allowed: one or more clusters");
        }
        for (int i = 0; i < entries.size(); i++) {
            mix.add("clusters[" + i + "]", entries.get(i));
        }
        int nodes = mix.specs.stream().mapToInt(ClusterSpec::totalNodes).sum();
        if (nodes > NODES_LIMIT) {
            mix.refuse("clusters", nodes + " nodes in total, allowed: up to " + NODES_LIMIT);
        }
        if (!mix.problems.isEmpty()) {
            throw ProblemException.of(mix.problems);
        }
        return List.copyOf(mix.specs);
    }

    static Set<DatacenterName> datacenters(List<ClusterSpec> specs) {
        Set<DatacenterName> all = new TreeSet<>();
        specs.forEach(s -> all.addAll(s.datacenterNames()));
        return all;
    }

    private void add(String path, SharingAsk.Entry entry) {
        int before = problems.size();
        int count = entry.count() == null ? 1 : entry.count();
        if (count < 1 || count > NODES_LIMIT) {
            refuse(path + ".count", count + " must be in 1-" + NODES_LIMIT);
        }
        if (entry.nodes() != null && (entry.nodes() < 1 || entry.nodes() > NODES_LIMIT)) {
            refuse(path + ".nodes", entry.nodes() + " must be in 1-" + NODES_LIMIT);
        }
        ParsedSpec parsed = ClusterSpecs.parse(entry.spec() == null ? "" : entry.spec());
        String from = entry.from() == null ? path : entry.from();
        parsed.problems()
                .forEach(p -> problems.add(new Problem(
                        p.code(), from + (p.field() == null ? "" : ": " + p.field()), p.message(), p.nextStep())));
        if (problems.size() == before && parsed instanceof ParsedSpec.Valid valid) {
            for (int i = 0; i < count; i++) {
                specs.add(named(freeName(valid.spec().name()), valid.spec(), entry));
            }
        }
    }

    private void refuse(String field, String message) {
        problems.add(Problem.field(ErrorCode.REQUEST_INVALID, field, message));
    }

    /** {@code rides}, {@code rides-2}, ... */
    private ClusterName freeName(ClusterName wanted) {
        ClusterName name = wanted;
        for (int i = 2; !names.add(name); i++) {
            String suffix = "-" + i;
            int kept = Math.min(wanted.value().length(), NAME_LIMIT - suffix.length());
            name = new ClusterName(wanted.value().substring(0, kept) + suffix);
        }
        return name;
    }

    private static ClusterSpec named(ClusterName name, ClusterSpec spec, SharingAsk.Entry entry) {
        List<DatacenterSpec> datacenters = entry.nodes() == null
                ? spec.datacenters()
                : spec.datacenters().stream()
                        .map(d -> new DatacenterSpec(
                                d.name(), entry.nodes(), Math.min(d.seeds(), entry.nodes()), d.racks()))
                        .toList();
        return ClusterSpecBuilder.builder(spec)
                .name(name)
                .datacenters(datacenters)
                .build();
    }
}
