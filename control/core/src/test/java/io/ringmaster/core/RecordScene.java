package io.ringmaster.core;

import io.ringmaster.core.tokens.Tokens;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.SpecRecordBuilder;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** What dc1 has stored: the cluster {@code rides}, its spec, its nodes here and its plans. */
final class RecordScene {
    private final TreeMap<ClusterName, ClusterRecord> clusters = new TreeMap<>();
    private final TreeMap<Long, SpecRecord> specs = new TreeMap<>();
    private final TreeMap<NodeId, NodeRecord> nodes = new TreeMap<>();
    private final TreeMap<PlanId, Plan> plans = new TreeMap<>();

    Map<ClusterName, ClusterRecord> clusters() {
        return clusters;
    }

    Map<Long, SpecRecord> specs() {
        return specs;
    }

    Map<NodeId, NodeRecord> nodes() {
        return nodes;
    }

    Map<PlanId, Plan> plans() {
        return plans;
    }

    NodeRecord node(int index) {
        return nodes.get(Scene.node(index));
    }

    void version(ClusterSpec spec, Instant at) {
        long version = specs.isEmpty() ? 1 : specs.lastKey() + 1;
        specs.put(version, new SpecRecord(Scene.RIDES, version, spec, "yaml", "alice", Samples.DC1, at, "dc1-1"));
        ClusterRecord known = clusters.get(Scene.RIDES);
        clusters.put(
                Scene.RIDES,
                known == null
                        ? new ClusterRecord(Scene.RIDES, version, false, false, false)
                        : known.withTarget(version));
    }

    /** The newest version was applied with --force. */
    void forced() {
        specs.computeIfPresent(
                specs.lastKey(),
                (n, s) -> SpecRecordBuilder.builder(s).forced(true).build());
    }

    /** All versions are of a cluster that is restored from this backup. */
    void origin(RestoreOrigin origin) {
        specs.replaceAll((n, s) -> SpecRecordBuilder.builder(s).origin(origin).build());
    }

    /** The nodes here have its data. */
    void restored() {
        clusters.computeIfPresent(Scene.RIDES, (n, c) -> c.restored(true));
    }

    void created() {
        clusters.computeIfPresent(Scene.RIDES, (n, c) -> c.complete());
    }

    void founder() {
        clusters.computeIfPresent(Scene.RIDES, (n, c) -> c.founding());
    }

    void deleting() {
        clusters.computeIfPresent(Scene.RIDES, (n, c) -> c.deleted(c.destroyData()));
    }

    /** Each node has a rack and a machine of its own. */
    void placed(ClusterSpec spec) {
        int count = spec.datacenter(Samples.DC1).orElseThrow().nodes();
        List<RackName> racks = IntStream.rangeClosed(1, count)
                .mapToObj(m -> new RackName("r" + m))
                .toList();
        List<String> tokens = Tokens.forFirstCreation(spec, Samples.DC1, racks, Set.of());
        for (int i = 0; i < count; i++) {
            NodeId id = Scene.node(i);
            Machine machine = Samples.machine(i + 1, "r" + (i + 1));
            Allocation claim = new Allocation(
                    new AllocationId("rides-dc1-node-" + i),
                    id,
                    machine.name(),
                    new NodePorts(7000, 7001, 9042, 9500),
                    spec.resources());
            nodes.put(id, NodeRecord.placed(id, claim, machine.rack(), List.of(tokens.get(i)), 1));
        }
    }

    void change(int index, UnaryOperator<NodeRecord> change) {
        nodes.computeIfPresent(Scene.node(index), (id, r) -> change.apply(r));
    }

    void after(List<Change> changes) {
        for (Change change : changes) {
            if (change instanceof Change.Put put && put.record() instanceof NodeRecord node) {
                nodes.put(node.id(), node);
            } else if (change instanceof Change.Put put && put.record() instanceof ClusterRecord cluster) {
                clusters.put(cluster.name(), cluster);
            } else {
                nodes.values().removeIf(n -> n.key().equals(change.key()));
            }
        }
    }

    void plan(Plan plan) {
        plans.put(plan.id(), plan);
    }

    /** The deploy of version 1 is complete. */
    void settled() {
        plan(Samples.plan(Plan.DEPLOY, PlanStatus.COMPLETE));
    }
}
