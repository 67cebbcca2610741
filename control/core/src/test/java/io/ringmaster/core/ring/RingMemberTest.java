package io.ringmaster.core.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.recovery.Recovery;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RingView.PeerSeen;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RingMemberTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final PoolCapabilities PODS =
            new PoolCapabilities(false, false, false, true, PoolCapabilities.VolumeScope.ZONE);

    private static PeerSeen peer(String endpoint, String host, String status, boolean alive) {
        return new PeerSeen(endpoint, host, "dc1", "r1", status, alive, "schema");
    }

    private static RingView ring(PeerSeen... peers) {
        return new RingView("host-0", "5.0.9", "schema", 0, 0, 0, List.of(peers), Map.of(), List.of());
    }

    private static RingMember member(Scene scene, int index) {
        View view = scene.view();
        return RingMember.of(view, view.nodes().get(Scene.node(index)));
    }

    @Test
    void a_node_that_came_back_at_another_address_is_the_same_member() {
        RingView ring = ring(
                peer("127.1.1.2:7000", "host-1", "NORMAL", false), peer("127.9.9.9:7000", "host-1", "NORMAL", true));
        RingMember member = member(Scene.live(SPEC), 1);
        assertThat(member.isNormalIn(ring)).isTrue();
        assertThat(ring.members()).extracting(PeerSeen::endpoint).containsExactly("127.9.9.9:7000");
    }

    @Test
    void another_node_at_its_former_address_is_not_the_member() {
        RingView ring = ring(peer("127.1.1.2:7000", "host-7", "NORMAL", true));
        assertThat(member(Scene.live(SPEC), 1).in(ring)).isEmpty();
    }

    @Test
    void before_its_host_id_is_known_a_node_is_recognised_by_its_endpoint() {
        RingView ring = ring(peer("127.1.1.1:7000", "host-0", "BOOT", true));
        assertThat(member(Scene.placed(SPEC), 0).in(ring)).isPresent();
    }

    @Test
    void a_node_that_has_left_is_not_in_the_ring_but_its_trace_is() {
        RingView ring = ring(peer("127.1.1.2:7000", "host-1", "LEFT", false));
        RingMember member = member(Scene.live(SPEC), 1);
        assertThat(member.in(ring)).isEmpty();
        assertThat(member.tracesIn(ring)).hasSize(1);
    }

    @Test
    void a_replacement_is_not_taken_for_the_dead_node_while_the_former_executor_still_reports() {
        Scene scene = Scene.live(SPEC).record(1, r -> r.replacedAt(r.allocation(), "127.1.1.2:7000", Scene.NOW));
        assertThat(member(scene, 1).hostId()).isNull();
        NodeRecord replacement = scene.view().nodes().get(Scene.node(1));
        assertThat(RingMember.replacedBy(replacement).orElseThrow().endpoint()).isEqualTo("127.1.1.2:7000");
    }

    @Test
    void the_endpoint_of_a_dead_node_is_the_one_that_the_ring_knows() {
        Scene scene = Scene.live(SPEC).reported(1, s -> s.at("127.5.5.5")).says(1, OperatingMode.DOWN);
        View view = scene.view();
        NodeRecord node = view.nodes().get(Scene.node(1));
        assertThat(Endpoints.of(view, node)).contains("127.5.5.5:7000");
        assertThat(Endpoints.inRing(view, node)).contains("127.1.1.2:7000");
    }

    @Test
    void a_node_that_died_soon_after_it_had_moved_is_in_the_ring_at_two_endpoints() {
        Scene scene = Scene.live(SPEC).says(1, OperatingMode.DOWN);
        NodeRecord node = scene.view().nodes().get(Scene.node(1));
        assertThat(Endpoints.whyUnsureInRing(scene.view(), node)).isEmpty();
        View moved = scene.formerSeen(1, "127.5.5.5:7000").view();
        assertThat(Endpoints.whyUnsureInRing(moved, node))
                .contains("the ring knows node-1 at 127.1.1.2:7000 and 127.5.5.5:7000, until its former endpoint is"
                        + " forgotten");
    }

    @Test
    void nobody_may_look_for_a_node_with_a_changing_address_before_it_has_joined() {
        View creating = Scene.placed(SPEC).pool(PODS).view();
        assertThat(Endpoints.forOthers(creating, creating.nodes().get(Scene.node(0))))
                .isEmpty();
        View live = Scene.live(SPEC).pool(PODS).view();
        assertThat(Endpoints.forOthers(live, live.nodes().get(Scene.node(0)))).contains("127.1.1.1:7000");
    }

    @Test
    void an_ipv6_address_has_brackets() {
        assertThat(Endpoints.endpoint("fd00::1", 7000)).isEqualTo("[fd00::1]:7000");
    }

    /** The view in which node 1 is dead and was last seen at this endpoint. */
    private static View dead(String lastEndpoint) {
        return Scene.live(SPEC)
                .record(1, r -> r.knownAs("host-9", lastEndpoint))
                .says(1, OperatingMode.DOWN)
                .reported(1, s -> s.at(null))
                .view();
    }

    @Test
    void a_dead_node_is_not_looked_for_where_another_node_is_by_now() {
        View view = dead("127.1.1.3:7000");
        NodeRecord node = view.nodes().get(Scene.node(1));
        assertThat(Endpoints.inRing(view, node)).isEmpty();
        assertThat(Endpoints.whyUnsureInRing(view, node))
                .contains("no node knows at which endpoint node-1 was in the ring");
        View elsewhere = dead("127.9.9.9:7000");
        assertThat(Endpoints.inRing(elsewhere, elsewhere.nodes().get(Scene.node(1))))
                .contains("127.9.9.9:7000");
    }

    @Test
    void a_replacement_follows_the_dead_node_to_where_the_ring_knows_it() {
        Scene scene = Scene.live(SPEC)
                .record(2, r -> r.replacedAt(r.allocation(), "127.1.1.9:7000", Scene.NOW))
                .says(2, OperatingMode.DOWN);
        View view = scene.view();
        NodeRecord replacement = view.nodes().get(Scene.node(2));
        assertThat(replacement.replacesHost()).isEqualTo("host-2");
        assertThat(Endpoints.ofReplaced(view, replacement)).contains("127.1.1.3:7000");
        scene.after(Recovery.of(view, Scene.RIDES).changes());
        NodeRecord after = scene.view().nodes().get(Scene.node(2));
        assertThat(after.replaces()).isEqualTo("127.1.1.3:7000");
        assertThat(after.generation()).isGreaterThan(replacement.generation());
    }
}
