package io.ringmaster.core.assess;

import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.Size;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Whether a backup fits the cluster that is to start from it: it takes the same shape, and enough room. */
public final class RestoreFit {
    private static final long MIB = 1L << 20;
    /** Compactions, and what is written before the next resize. */
    private static final double DISK_SHARE = 1.25;

    private static final long DISK_SPARE_BYTES = 1024 * MIB;
    private static final String ROCKSDB = "io.ringmaster.engine.RocksDB";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    private final ClusterSpec spec;
    private final RestoreOrigin origin;
    private final List<Problem> problems = new ArrayList<>();

    private RestoreFit(ClusterSpec spec, RestoreOrigin origin) {
        this.spec = spec;
        this.origin = origin;
    }

    /** Every reason why the cluster cannot start from its backup; none for a created one, and one that starts empty. */
    public static List<Problem> problems(View view, SpecRecord target) {
        ClusterSpec spec = target.spec();
        Optional<RestoreOrigin> origin = Restoration.of(view, target);
        if (Seeds.created(view, target.cluster()) || (origin.isEmpty() && spec.restore() == null)) {
            return List.of();
        }
        if (origin.isEmpty() || spec.restore() == null) {
            String what = origin.isEmpty()
                    ? "was not resolved by the server that accepted it"
                    : "is missing, and " + target.cluster() + " is being restored";
            return List.of(new Problem(
                    ErrorCode.SPEC_INVALID,
                    "restore",
                    what,
                    "delete the cluster, then restore it with ringmaster restore start"));
        }
        RestoreFit fit = new RestoreFit(spec, origin.get());
        fit.shape();
        fit.room();
        fit.cassandra();
        RestoreLogin.problem(spec, spec.restore()).ifPresent(fit.problems::add);
        return List.copyOf(fit.problems);
    }

    private void shape() {
        if (!spec.datacenterNames().equals(origin.datacenters())) {
            refuse(
                    "datacenters",
                    names(spec.datacenterNames()) + ": the backup is of " + names(origin.datacenters())
                            + ", in this order",
                    "name these datacenters in this order");
            return;
        }
        for (DatacenterSpec dc : spec.datacenters()) {
            int had = origin.nodesOf(dc.name()).size();
            if (dc.nodes() != had) {
                refuse(
                        "datacenters." + dc.name() + ".nodes",
                        dc.nodes() + " nodes: the backup has " + had + " there",
                        "restore it with " + had + ", then change the number");
            }
        }
    }

    private static String names(Collection<DatacenterName> datacenters) {
        return datacenters.stream().map(DatacenterName::value).collect(Collectors.joining(", "));
    }

    private void room() {
        long has = spec.resources().diskBytes();
        long needs = (long) (origin.largest() * DISK_SHARE) + DISK_SPARE_BYTES;
        if (has < needs) {
            refuse(
                    "node.disk",
                    Size.text(has) + " is too small: the largest node of the backup has " + Size.text(origin.largest()),
                    "raise it to " + Size.write((needs + MIB - 1) / MIB * MIB));
        }
    }

    private void cassandra() {
        if (isOlder(spec.cassandraVersion(), origin.cassandra())) {
            refuse(
                    "cassandra",
                    spec.cassandraVersion() + " may not read the files of " + origin.cassandra()
                            + ", which the backup is of",
                    "name " + origin.cassandra() + " or a newer release");
        }
        boolean has = String.valueOf(spec.cassandraYaml().get("memtable")).contains(ROCKSDB);
        if (origin.rocksDB() && !has) {
            refuse(
                    "engine.rocksdb",
                    "is missing: the backup has tables of the RocksDB engine",
                    "add engine: {rocksdb: {}}");
        }
    }

    private static boolean isOlder(String one, String other) {
        List<Integer> a = numbers(one);
        List<Integer> b = numbers(other);
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            if (!a.get(i).equals(b.get(i))) {
                return a.get(i) < b.get(i);
            }
        }
        return false;
    }

    private static List<Integer> numbers(String version) {
        return NUMBER.matcher(version)
                .results()
                .map(MatchResult::group)
                .map(Integer::valueOf)
                .toList();
    }

    private void refuse(String field, String message, String nextStep) {
        problems.add(new Problem(ErrorCode.SPEC_INVALID, field, message, nextStep));
    }

    /** The sources of all nodes here; empty if their racks do not map to those of the backup. */
    public static Optional<Map<NodeId, RestoreOrigin.Node>> sources(
            View view, RestoreOrigin origin, List<NodeRecord> existing, Placements placements) {
        Map<NodeId, RackName> racks = new TreeMap<>();
        for (NodePlacement placement : placements.nodes()) {
            racks.put(placement.node(), Objects.requireNonNull(placement.rack(), "a node with a place has a rack"));
        }
        return RestoredNodes.sources(origin, view.datacenter(), existing, racks);
    }

    /** The refusal of racks that do not map. */
    public static List<Problem> rackProblems(
            View view, SpecRecord target, List<NodeRecord> existing, Placements placements) {
        Optional<RestoreOrigin> origin = Restoration.of(view, target);
        if (origin.isEmpty()
                || !placements.complete()
                || sources(view, origin.get(), existing, placements).isPresent()) {
            return List.of();
        }
        List<RackName> here =
                new ArrayList<>(existing.stream().map(NodeRecord::rack).toList());
        placements.nodes().forEach(p -> here.add(Objects.requireNonNull(p.rack(), "a node with a place has a rack")));
        List<RackName> had = origin.get().nodesOf(view.datacenter()).stream()
                .map(RestoreOrigin.Node::rack)
                .toList();
        return List.of(new Problem(
                ErrorCode.SPEC_INVALID,
                "datacenters." + view.datacenter() + ".racks",
                "the racks of the backup have " + sizes(had) + " nodes, the machines here give racks of " + sizes(here),
                "name in racks: as many racks as the backup has, with room for as many nodes"));
    }

    /** {@code 2, 1, 1}. */
    private static String sizes(List<RackName> ofNodes) {
        Map<RackName, Integer> sizes = new TreeMap<>();
        ofNodes.forEach(r -> sizes.merge(r, 1, Integer::sum));
        return sizes.values().stream()
                .sorted((a, b) -> b - a)
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
    }
}
