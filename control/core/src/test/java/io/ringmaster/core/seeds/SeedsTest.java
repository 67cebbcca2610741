package io.ringmaster.core.seeds;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.seeds.Seeds.Candidate;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeedsTest {
    private static final NodeId NODE_1 = NodeId.of("rides/dc1/node-0");
    private static final NodeId NODE_2 = NodeId.of("rides/dc1/node-1");
    private static final NodeId NODE_3 = NodeId.of("rides/dc1/node-2");
    private static final NodeId REMOTE = NodeId.of("rides/dc2/node-0");

    private static final SeedAnswer ADDRESS_UNKNOWN =
            SeedAnswer.noneYet("the address of the first seed is not known yet");

    private static Candidate placed(NodeId node, boolean joined) {
        return new Candidate(node, endpoint(node), joined);
    }

    private static String endpoint(NodeId node) {
        return "127.1." + node.datacenter().value().substring(2) + "." + (node.index() + 1) + ":7000";
    }

    private static List<Candidate> all(boolean joined) {
        return Stream.of(NODE_1, NODE_2, NODE_3).map(n -> placed(n, joined)).toList();
    }

    @Test
    void in_an_empty_cluster_a_seed_gets_the_seeds_before_it_and_others_get_all() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        assertThat(Seeds.answer(spec, false, all(false), NODE_1)).isEqualTo(new SeedAnswer(true, List.of()));
        assertThat(Seeds.answer(spec, false, all(false), NODE_2))
                .isEqualTo(new SeedAnswer(true, List.of("127.1.1.1:7000")));
        assertThat(Seeds.answer(spec, false, all(false), NODE_3))
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.1:7000", "127.1.1.2:7000")));
    }

    @Test
    void the_seeds_of_an_earlier_datacenter_come_before_those_of_a_later_one() {
        ClusterSpec spec = Samples.spec("rides", 3, 1, 3, 1);
        List<Candidate> candidates = List.of(placed(REMOTE, false), placed(NODE_1, false), placed(NODE_2, false));
        assertThat(Seeds.answer(spec, false, candidates, REMOTE))
                .isEqualTo(new SeedAnswer(true, List.of("127.1.1.1:7000")));
        assertThat(Seeds.answer(spec, false, candidates, NODE_1)).isEqualTo(new SeedAnswer(true, List.of()));
        assertThat(Seeds.answer(spec, false, candidates, NODE_2))
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.1:7000", "127.1.2.1:7000")));
    }

    @Test
    void a_node_joining_a_live_cluster_is_never_a_seed() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        List<Candidate> candidates = List.of(placed(NODE_1, true), placed(NODE_2, false), placed(NODE_3, true));
        assertThat(Seeds.answer(spec, true, candidates, NODE_2))
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.1:7000", "127.1.1.3:7000")));
    }

    @Test
    void the_only_seed_of_a_live_cluster_gets_other_members_when_it_is_rebuilt() {
        ClusterSpec spec = Samples.spec("rides", 3, 1);
        List<Candidate> candidates = List.of(placed(NODE_1, false), placed(NODE_2, true), placed(NODE_3, true));
        assertThat(Seeds.answer(spec, true, candidates, NODE_1))
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.2:7000", "127.1.1.3:7000")));
    }

    @Test
    void where_no_seed_has_data_the_first_member_acts_as_one() {
        ClusterSpec spec = Samples.spec("rides", 3, 1);
        List<Candidate> candidates = List.of(placed(NODE_1, false), placed(NODE_2, true), placed(NODE_3, true));
        assertThat(Seeds.answer(spec, true, candidates, NODE_2)).isEqualTo(new SeedAnswer(true, List.of()));
        assertThat(Seeds.answer(spec, true, candidates, NODE_3))
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.2:7000")));
    }

    @Test
    void a_seed_that_has_lost_its_volume_is_given_to_no_node() {
        Scene scene = Scene.live(Samples.spec("rides", 3, 1));
        assertThat(Seeds.answer(scene.view(), NODE_2)).contains(new SeedAnswer(false, List.of("127.1.1.1:7000")));
        scene.claimGone(0);
        assertThat(Seeds.answer(scene.view(), NODE_2)).contains(new SeedAnswer(true, List.of()));
        assertThat(Seeds.answer(scene.view(), NODE_3)).contains(new SeedAnswer(false, List.of("127.1.1.2:7000")));
    }

    @Test
    void a_seed_of_a_live_cluster_gets_every_other_joined_seed() {
        ClusterSpec spec = Samples.spec("rides", 3, 2, 1, 1);
        List<Candidate> candidates = Stream.concat(all(true).stream(), Stream.of(placed(REMOTE, true)))
                .toList();
        assertThat(Seeds.answer(spec, true, candidates, NODE_1))
                .isEqualTo(new SeedAnswer(true, List.of("127.1.1.2:7000", "127.1.2.1:7000")));
        assertThat(Seeds.answer(spec, true, candidates, NODE_3))
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.1:7000", "127.1.1.2:7000", "127.1.2.1:7000")));
    }

    @Test
    void a_node_that_was_never_placed_is_given_to_no_node() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        assertThat(Seeds.answer(spec, false, List.of(placed(NODE_1, false), placed(NODE_3, false)), NODE_3))
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.1:7000")));
    }

    private static Scene pods() {
        return Scene.live(Samples.spec("rides", 3, 2))
                .pool(new PoolCapabilities(false, false, false, true, PoolCapabilities.VolumeScope.MACHINE));
    }

    @Test
    void where_addresses_change_a_member_that_returns_must_find_one_that_is_up() {
        Scene scene = pods().says(0, OperatingMode.DOWN).says(1, OperatingMode.DOWN);
        assertThat(Seeds.answer(scene.view(), NODE_1))
                .contains(new SeedAnswer(false, List.of("127.1.1.3:7000", "127.1.1.2:7000")));
    }

    @Test
    void where_addresses_change_and_no_member_is_up_the_first_one_that_runs_is_a_seed() {
        Scene scene =
                pods().says(0, OperatingMode.DOWN).says(1, OperatingMode.DOWN).says(2, OperatingMode.DOWN);
        assertThat(Seeds.answer(scene.view(), NODE_1)).map(SeedAnswer::isSeed).contains(true);
        assertThat(Seeds.answer(scene.view(), NODE_2)).map(SeedAnswer::isSeed).contains(false);
        scene.claim(0, AllocationState.Status.EXITED);
        assertThat(Seeds.answer(scene.view(), NODE_2))
                .contains(new SeedAnswer(true, List.of("127.1.1.1:7000", "127.1.1.3:7000")));
    }

    /** Placed, on a pool whose addresses change: nobody may look for it before it has joined. */
    private static Candidate hidden(NodeId node) {
        return new Candidate(node, null, false);
    }

    @Test
    void where_addresses_change_only_the_first_seed_starts_the_ring() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        List<Candidate> none = List.of(hidden(NODE_1), hidden(NODE_2), hidden(NODE_3));
        assertThat(Seeds.first(spec, none, NODE_1, false)).isEqualTo(new SeedAnswer(true, List.of()));
        assertThat(Seeds.first(spec, none, NODE_2, false)).isEqualTo(ADDRESS_UNKNOWN);
        assertThat(Seeds.first(spec, none, NODE_3, false)).isEqualTo(ADDRESS_UNKNOWN);
    }

    @Test
    void where_addresses_change_a_node_that_finds_nobody_at_the_seeds_must_not_start_alone() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        List<Candidate> one = List.of(placed(NODE_1, true), hidden(NODE_2), hidden(NODE_3));
        assertThat(Seeds.answer(spec, false, one, NODE_2)).isEqualTo(new SeedAnswer(false, List.of("127.1.1.1:7000")));
    }

    @Test
    void a_seed_that_is_placed_after_others_have_joined_starts_no_second_ring() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        List<Candidate> late = List.of(placed(NODE_1, true), placed(NODE_2, false), placed(NODE_3, true));
        assertThat(Seeds.answer(spec, false, late, NODE_2))
                .as("the first seed may be down")
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.1:7000", "127.1.1.3:7000")));
        Scene scene = Scene.placed(spec);
        List.of(0, 2).forEach(i -> scene.record(i, NodeRecord::proven).claim(i, AllocationState.Status.RUNNING));
        assertThat(Seeds.answer(scene.view(), NODE_2))
                .contains(new SeedAnswer(false, List.of("127.1.1.1:7000", "127.1.1.3:7000")));
    }

    @Test
    void where_the_first_seed_is_placed_again_the_only_member_starts_without_it() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        List<Candidate> one = List.of(placed(NODE_1, false), placed(NODE_2, false), placed(NODE_3, true));
        assertThat(Seeds.answer(spec, false, one, NODE_1))
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.3:7000", "127.1.1.2:7000")));
        assertThat(Seeds.answer(spec, false, one, NODE_3))
                .isEqualTo(new SeedAnswer(true, List.of("127.1.1.1:7000", "127.1.1.2:7000")));
    }

    @Test
    void no_node_of_a_new_cluster_starts_before_every_datacenter_has_reported_its_nodes() {
        ClusterSpec spec = Samples.spec("rides", 3, 2, 3, 2);
        Scene placed = Scene.placed(spec);
        assertThat(Seeds.answer(placed.view(), NODE_1)).contains(SeedAnswer.noneYet("dc2 has not reported its nodes"));
        assertThat(Seeds.answer(placed.peer(3, 1, 1, false, null).view(), NODE_1))
                .contains(new SeedAnswer(true, List.of()));
        assertThat(Seeds.answer(placed.peerSilent().view(), NODE_1))
                .as("it reported before")
                .contains(new SeedAnswer(true, List.of()));
        Scene joined = Scene.placed(spec).record(1, NodeRecord::proven).claim(1, AllocationState.Status.RUNNING);
        assertThat(Seeds.answer(joined.view(), NODE_1)).contains(SeedAnswer.noneYet("dc2 has not reported its nodes"));
        assertThat(Seeds.answer(Scene.live(spec).view(), NODE_1))
                .as("a complete cluster needs no other datacenter")
                .map(SeedAnswer::isSeed)
                .contains(true);
    }

    @Test
    void before_the_cluster_was_complete_a_member_also_looks_for_seeds_that_have_yet_to_join() {
        ClusterSpec spec = Samples.spec("rides", 3, 1, 3, 1);
        List<Candidate> apart = List.of(placed(NODE_1, false), placed(NODE_2, false), placed(REMOTE, true));
        assertThat(Seeds.answer(spec, false, apart, REMOTE))
                .as("the first seed may have started alone behind a cut")
                .isEqualTo(new SeedAnswer(true, List.of("127.1.1.1:7000")));
        assertThat(Seeds.answer(spec, true, apart, REMOTE)).isEqualTo(new SeedAnswer(true, List.of()));
    }

    @Test
    void before_the_cluster_was_complete_a_member_that_moves_waits_for_a_silent_datacenter() {
        Scene scene = Scene.placed(Samples.spec("rides", 3, 2, 3, 2))
                .pool(new PoolCapabilities(false, false, false, true, PoolCapabilities.VolumeScope.MACHINE))
                .record(0, NodeRecord::proven)
                .claim(0, AllocationState.Status.RUNNING)
                .peer(3, 1, 1, false, null);
        assertThat(Seeds.answer(scene.view(), NODE_1)).map(SeedAnswer::isSeed).contains(true);
        scene.peerSilent();
        assertThat(Seeds.answer(scene.view(), NODE_1)).map(SeedAnswer::isSeed).contains(false);
        assertThat(Seeds.answer(scene.created().view(), NODE_1))
                .as("clients of this datacenter need no other one")
                .map(SeedAnswer::isSeed)
                .contains(true);
    }

    @Test
    void before_the_pool_has_reported_nobody_starts_a_ring() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        Scene scene = Scene.placed(spec);
        assertThat(Seeds.answer(scene.view(), Scene.node(0))).contains(new SeedAnswer(true, List.of()));
        assertThat(Seeds.answer(scene.poolUnseen().view(), Scene.node(0)))
                .contains(SeedAnswer.noneYet("the pool of dc1 has not reported its machines yet"));
        assertThat(Seeds.answer(Scene.live(spec).poolUnseen().view(), Scene.node(0)))
                .as("members are known from the records")
                .contains(new SeedAnswer(true, List.of("127.1.1.2:7000")));
    }

    @Test
    void the_first_seed_returns_to_the_ring_that_it_started() {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        List<Candidate> two = List.of(placed(NODE_1, true), placed(NODE_2, true), hidden(NODE_3));
        assertThat(Seeds.answer(spec, false, two, NODE_1)).isEqualTo(new SeedAnswer(true, List.of("127.1.1.2:7000")));
        List<Candidate> replaced = List.of(hidden(NODE_1), placed(NODE_2, true), hidden(NODE_3));
        assertThat(Seeds.answer(spec, false, replaced, NODE_1))
                .isEqualTo(new SeedAnswer(false, List.of("127.1.1.2:7000")));
    }

    @Test
    void a_seed_waits_for_an_earlier_datacenter_whose_addresses_are_not_known_yet() {
        ClusterSpec spec = Samples.spec("rides", 3, 1, 3, 1);
        List<Candidate> candidates = List.of(placed(REMOTE, false), hidden(NODE_1), hidden(NODE_2));
        assertThat(Seeds.answer(spec, false, candidates, REMOTE)).isEqualTo(ADDRESS_UNKNOWN);
    }

    @Test
    void where_the_first_seed_is_not_known_yet_the_next_ones_start_no_ring_of_their_own() {
        ClusterSpec spec = Samples.spec("rides", 3, 1, 3, 2);
        NodeId second = NodeId.of("rides/dc2/node-1");
        List<Candidate> none = List.of(hidden(NODE_1), hidden(NODE_2), placed(REMOTE, false), placed(second, false));
        assertThat(Seeds.answer(spec, false, none, second)).isEqualTo(ADDRESS_UNKNOWN);
        assertThat(Seeds.first(spec, none, NODE_2, false)).isEqualTo(ADDRESS_UNKNOWN);
    }

    @Test
    void where_the_first_seed_may_have_moved_the_next_ones_are_no_seeds_for_themselves() {
        ClusterSpec spec = Samples.spec("rides", 3, 1, 3, 1);
        List<Candidate> one = List.of(placed(NODE_1, true), hidden(NODE_2), placed(REMOTE, false));
        assertThat(Seeds.answer(spec, false, one, REMOTE)).isEqualTo(new SeedAnswer(false, List.of("127.1.1.1:7000")));
    }
}
