package io.ringmaster.simulator.world;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The replicas that a task compares with those of its node, with the rules of the companion's task. */
final class ComparedReplicas {
    private final World world;
    private final SimNode node;
    private final List<DatacenterName> datacenters;

    ComparedReplicas(World world, SimNode node, NodeTask task) {
        String names = task.args().getOrDefault("staying", task.args().getOrDefault("from", ""));
        this.world = world;
        this.node = node;
        this.datacenters =
                Arrays.stream(names.split(",")).map(DatacenterName::new).toList();
    }

    /** It waits for a replica that it sees down. */
    boolean mustWait() {
        return replicas().anyMatch(n -> !world.ring().seesAlive(node, n));
    }

    /** One that it sees alive may still not answer, at any look; and without a replica there is nothing to compare. */
    boolean canCompare() {
        boolean keepsRows = world.keyspaces().of(node.cluster()).values().stream()
                .anyMatch(k ->
                        k.containsKey(node.datacenter()) && datacenters.stream().anyMatch(k::containsKey));
        return !keepsRows
                || (replicas().findAny().isPresent()
                        && replicas().allMatch(n -> n.daemon().gossips()));
    }

    private Stream<SimNode> replicas() {
        return world.members(node.cluster()).filter(n -> n != node && datacenters.contains(n.datacenter()));
    }
}
