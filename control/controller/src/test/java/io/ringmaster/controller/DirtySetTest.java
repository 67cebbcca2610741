package io.ringmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.spec.NodeResources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DirtySetTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final int CLUSTERS = 130;

    private final ObservedState picture = new ObservedState();
    private final DirtySet dirty = new DirtySet();
    private final View stored = View.empty(NOW, 1, new DatacenterName("dc1"), List.of(), List.of())
            .with(IntStream.range(0, CLUSTERS)
                    .<Change>mapToObj(i -> new Change.Put(new ClusterRecord(cluster(i), 1, true, false, false)))
                    .toList());
    private View view = stored;

    private static ClusterName cluster(int index) {
        return new ClusterName("c" + index);
    }

    private Set<ClusterName> dueAfter(Fact fact) {
        View before = view;
        picture.take(fact, NOW);
        view = picture.view(stored, Stream.empty(), NOW, Set.of());
        dirty.observed(fact, before, view);
        return dirty.take(view);
    }

    private static AllocationState allocation(int cluster, AllocationState.Status status) {
        NodeId node = NodeId.of("c" + cluster + "/dc1/node-0");
        return AllocationState.of(
                new Allocation(
                        new AllocationId("c" + cluster + "-dc1-node-0"),
                        node,
                        new MachineName("m1"),
                        new NodePorts(7000, 7001, 9042, 7070),
                        new NodeResources(1, 1, 1, 1)),
                status,
                NOW,
                1);
    }

    private static NodeStatus down(String node) {
        return new NodeStatus(
                NodeId.of(node),
                1,
                1,
                0,
                OperatingMode.DOWN,
                "stopped",
                NOW,
                Map.of(),
                1,
                null,
                0,
                null,
                null,
                null,
                Map.of());
    }

    private static Fact.PoolSeen pool(AllocationState... states) {
        return new Fact.PoolSeen(List.of(), List.of(states), PoolCapabilities.OF_MACHINES, 1);
    }

    @Test
    void a_fact_about_a_node_makes_its_cluster_due_and_no_other_once() {
        assertThat(dueAfter(new Fact.NodeSilent(NodeId.of("c7/dc1/node-2"), "gone")))
                .containsExactly(cluster(7));
        assertThat(dirty.take(view)).isEmpty();
    }

    @Test
    void a_node_that_repeats_what_it_reported_makes_nothing_due() {
        Fact silent = new Fact.NodeSilent(NodeId.of("c7/dc1/node-2"), "gone");
        assertThat(dueAfter(silent)).containsExactly(cluster(7));
        assertThat(dueAfter(silent)).isEmpty();
        assertThat(dueAfter(new Fact.NodeSilent(NodeId.of("c7/dc1/node-2"), "slow")))
                .as("another reason")
                .containsExactly(cluster(7));
        Fact down = new Fact.NodeReported(down("c7/dc1/node-2"));
        assertThat(dueAfter(down)).as("it answers").containsExactly(cluster(7));
        assertThat(dueAfter(down)).isEmpty();
    }

    @Test
    void the_first_picture_of_the_pool_makes_all_due_and_a_later_one_what_it_changes() {
        AllocationState one = allocation(1, AllocationState.Status.RUNNING);
        AllocationState two = allocation(2, AllocationState.Status.RUNNING);
        assertThat(dueAfter(pool(one, two))).hasSize(CLUSTERS);
        assertThat(dueAfter(pool(one, two))).isEmpty();
        assertThat(dueAfter(pool(one, allocation(2, AllocationState.Status.EXITED))))
                .as("another status")
                .containsExactly(cluster(2));
        assertThat(dueAfter(pool(allocation(2, AllocationState.Status.EXITED))))
                .as("an allocation less")
                .containsExactly(cluster(1));
    }

    @Test
    void a_quiet_cluster_has_its_turn_within_a_minute_of_ticks() {
        Set<ClusterName> looked = new TreeSet<>();
        for (int second = 0; second < 60; second++) {
            dirty.tick(stored);
            looked.addAll(dirty.take(stored));
        }
        assertThat(looked).hasSize(CLUSTERS);
    }

    @Test
    void a_cluster_in_which_something_is_under_way_is_due_at_each_tick_until_it_is_quiet() {
        dirty.decided(List.of(cluster(100)), List.of(cluster(100)));
        for (int second = 0; second < 3; second++) {
            dirty.tick(stored);
            assertThat(dirty.take(stored)).contains(cluster(100));
        }
        dirty.decided(List.of(cluster(100)), List.of());
        dirty.tick(stored);
        assertThat(dirty.take(stored)).doesNotContain(cluster(100));
    }

    @Test
    void what_is_asked_of_a_cluster_makes_it_due() {
        dirty.stored(List.of(new Change.Put(new ClusterRecord(cluster(3), 2, true, false, false))));
        assertThat(dirty.take(stored)).containsExactly(cluster(3));
    }
}
