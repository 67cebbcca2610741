package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.ClusterRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Which clusters users declared and deleted, and what the stores of all datacenters hold of each. */
public final class Declarations {
    private final World world;
    private final Map<ClusterName, Long> destroyRequestedMillis = new TreeMap<>();
    private final Map<ClusterName, TreeSet<Long>> declaredMillis = new TreeMap<>();

    private final Map<ClusterName, Long> servedSinceMillis = new TreeMap<>();
    private final List<SimNode> discarded = new ArrayList<>();

    Declarations(World world) {
        this.world = world;
    }

    /** A user declares a cluster that does not exist. A datacenter that leaves it may still make volumes afterwards. */
    public void declared(ClusterName cluster) {
        world.removedNodes().forget(cluster);
        world.formerEndpoints().forget(cluster);
        world.keyspaces().forget(cluster);
        world.restores().forget(cluster);
        world.roles().forget(cluster);
        servedSinceMillis.remove(cluster);
        world.ledgers().forget(cluster);
        declaredMillis.computeIfAbsent(cluster, c -> new TreeSet<>()).add(world.nowMillis());
    }

    /** A user asks for the cluster's data to be destroyed. */
    public void destroyRequested(ClusterName cluster) {
        destroyRequestedMillis.put(cluster, world.nowMillis());
    }

    /** Whether a user asked to destroy the data of the incarnation of the cluster that this node belongs to. */
    public boolean isDestroyRequested(SimNode node) {
        Long requested = destroyRequestedMillis.get(node.cluster());
        Long declared =
                declaredMillis.getOrDefault(node.cluster(), new TreeSet<>()).floor(node.createdMillis());
        return requested != null && (declared == null || requested >= declared);
    }

    /** A user orders the destruction of this volume, which no node uses. */
    public void discardRequested(SimNode volume) {
        discarded.add(volume);
    }

    public boolean isDiscarded(SimNode volume) {
        return discarded.contains(volume);
    }

    /** When the existing cluster of this name was declared; the start of the run if nobody declared it. */
    Instant lastDeclared(ClusterName cluster) {
        TreeSet<Long> declared = declaredMillis.getOrDefault(cluster, new TreeSet<>());
        long agoMillis = world.nowMillis() - (declared.isEmpty() ? 0 : declared.last());
        return world.now().minusMillis(agoMillis);
    }

    /** A node accepts clients. */
    void serves(SimNode node) {
        if (isOfExisting(node)) {
            servedSinceMillis.putIfAbsent(node.cluster(), world.nowMillis());
        }
    }

    /** Whether the node is of the cluster that was declared last, not of a deleted one of the same name. */
    public boolean isOfExisting(SimNode node) {
        TreeSet<Long> declared = declaredMillis.getOrDefault(node.cluster(), new TreeSet<>());
        return declared.isEmpty() || node.createdMillis() >= declared.last();
    }

    /** Whether clients could connect to some node of the cluster since it was declared. */
    boolean hasServed(ClusterName cluster) {
        return servedSinceMillis.containsKey(cluster);
    }

    /** Whether clients could create keyspaces for longer than this. */
    public boolean hasServedFor(long millis, ClusterName cluster) {
        Long since = servedSinceMillis.get(cluster);
        return since != null && world.nowMillis() - since > millis;
    }

    /** Known from what the nodes did, not from what the records say. */
    public boolean mayHoldData(ClusterName cluster) {
        return hasServed(cluster) && isDeclared(cluster);
    }

    public boolean isDeclared(ClusterName cluster) {
        return anyRecord(cluster, c -> !c.deleting());
    }

    public boolean isDeleting(ClusterName cluster) {
        return anyRecord(cluster, ClusterRecord::deleting);
    }

    private boolean anyRecord(ClusterName cluster, Predicate<ClusterRecord> holds) {
        return World.DATACENTERS.stream()
                .flatMap(d -> world.records(d, ClusterRecord.class).stream())
                .anyMatch(c -> c.name().equals(cluster) && holds.test(c));
    }
}
