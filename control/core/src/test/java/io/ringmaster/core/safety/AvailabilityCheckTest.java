package io.ringmaster.core.safety;

import static io.ringmaster.model.node.OperatingMode.DOWN;
import static io.ringmaster.model.node.OperatingMode.JOINING;
import static io.ringmaster.model.node.OperatingMode.LAUNCHED;
import static io.ringmaster.model.node.OperatingMode.LEAVING;
import static io.ringmaster.model.node.OperatingMode.NORMAL;
import static io.ringmaster.model.node.OperatingMode.STARTING;
import static io.ringmaster.model.node.OperatingMode.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.view.View;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AvailabilityCheckTest {
    private static final ClusterSpec HERE_FIRST = Samples.spec("rides", 3, 2, 3, 2);
    private static final ClusterSpec HERE_ALONE = Samples.spec("rides", 3, 2);
    private static final int BROKEN = PermanentFailure.EXITS;
    private static final String OPEN = "open";

    private static ClusterSpec hereLast() {
        List<DatacenterSpec> turned = new ArrayList<>(HERE_FIRST.datacenters());
        Collections.reverse(turned);
        return with(turned);
    }

    private static ClusterSpec otherAlone() {
        return with(HERE_FIRST.datacenters().subList(1, 2));
    }

    private static ClusterSpec with(List<DatacenterSpec> datacenters) {
        return HERE_FIRST.withDatacenters(datacenters);
    }

    private static Scene declaredAnew(ClusterSpec spec) {
        return Scene.live(spec).version(spec);
    }

    /** A created cluster whose other datacenter has settled version 2. */
    private static Scene calm() {
        return declaredAnew(HERE_FIRST).peer(3, 2, 2, true, null);
    }

    private static String beforeTouchingNode0(Scene scene) {
        View view = scene.view();
        return AvailabilityCheck.ONE_AT_A_TIME
                .beforeTouching(view, view.nodes().get(Scene.node(0)), 2)
                .orElse(OPEN);
    }

    private static String beforeRestartingNode0(Scene scene) {
        View view = scene.view();
        return AvailabilityCheck.ONE_AT_A_TIME
                .beforeRequested(view, view.nodes().get(Scene.node(0)), false, false)
                .orElse(OPEN);
    }

    @Test
    void a_node_that_is_only_down_may_be_back_at_any_moment_and_waits_like_a_healthy_one() {
        assertThat(beforeTouchingNode0(calm().says(0, DOWN))).isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(calm().says(0, DOWN).says(1, DOWN))).isEqualTo("node-1 is DOWN: doing things");
    }

    @Test
    void a_broken_node_that_starts_once_more_may_serve_before_it_receives_its_target_and_waits_like_a_healthy_one() {
        Scene scene = calm().says(0, STARTING, 1, 0, BROKEN);
        assertThat(beforeTouchingNode0(scene.says(1, DOWN))).isEqualTo("node-1 is DOWN: doing things");
    }

    @Test
    void a_joining_node_of_another_datacenter_counts_from_its_launch_on() {
        assertThat(beforeTouchingNode0(calm().peerNode(2, false, LAUNCHED))).isEqualTo("dc2 node-2 is LAUNCHED: busy");
        assertThat(beforeTouchingNode0(calm().peerNode(2, false, JOINING))).isEqualTo("dc2 node-2 is JOINING: busy");
        assertThat(beforeTouchingNode0(calm().peerNode(2, false, UNKNOWN))).isEqualTo(OPEN);
    }

    @Test
    void hints_for_any_node_are_waited_for_unless_they_are_few() {
        Scene scene = calm().hints(1, "host-2", AvailabilityCheck.HINTS_BOUND_BYTES + 1);
        assertThat(beforeTouchingNode0(scene)).isEqualTo("node-1 still keeps 4.0 MiB of hints for node-2");
        assertThat(beforeTouchingNode0(calm().hints(1, "host-2", AvailabilityCheck.HINTS_BOUND_BYTES)))
                .isEqualTo(OPEN);
    }

    @Test
    void no_node_is_touched_and_none_counts_as_changed_while_the_schemas_differ() {
        Scene scene = calm().schema(1, "newer");
        assertThat(beforeTouchingNode0(scene)).startsWith("schema agreement: ");
        View view = scene.view();
        assertThat(AvailabilityCheck.ONE_AT_A_TIME.untilSeen(view, view.nodes().get(Scene.node(0))))
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("schema agreement: "));
    }

    @Test
    void hints_for_the_node_that_is_to_go_down_itself_do_not_block() {
        Scene scene = calm().hints(1, "host-0", AvailabilityCheck.HINTS_BOUND_BYTES + 1);
        assertThat(beforeTouchingNode0(scene)).isEqualTo(OPEN);
    }

    @Test
    void a_broken_node_is_changed_while_others_are_broken_or_out_of_reach() {
        Scene scene = calm().says(0, DOWN, 1, 0, BROKEN);
        assertThat(beforeTouchingNode0(scene.says(1, DOWN, 1, 0, BROKEN))).isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(scene.silent(1))).isEqualTo(OPEN);
    }

    @Test
    void a_broken_node_is_changed_beside_one_that_changes_because_its_executor_refuses_that_should_it_run() {
        Scene scene = calm().says(0, DOWN, 1, 0, BROKEN).record(1, r -> r.decide(2));
        assertThat(beforeTouchingNode0(scene.says(1, STARTING, 1, 1, 0))).isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(scene.says(1, NORMAL, 2, 1, 0)))
                .as("it has its newest target and is about to drain")
                .isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(scene.says(1, NORMAL, 1, 1, 0)))
                .as("its newest target is held back until node-0 is mended")
                .isEqualTo(OPEN);
    }

    @Test
    void a_node_that_was_broken_before_its_newest_target_is_not_broken_now() {
        Scene scene =
                calm().says(0, DOWN, 1, 0, BROKEN).record(0, r -> r.decide(2)).says(1, DOWN);
        assertThat(beforeTouchingNode0(scene)).isEqualTo("node-1 is DOWN: doing things");
    }

    @Test
    void the_first_datacenter_waits_until_the_second_knows_the_version_and_its_nodes_are_healthy() {
        Scene scene = declaredAnew(HERE_FIRST);
        assertThat(beforeTouchingNode0(scene.peer(3, 1, 1, true, null)))
                .isEqualTo("dc2 does not know of version 2 yet");
        assertThat(beforeTouchingNode0(scene.peer(3, 2, 1, true, null))).isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(scene.peerNode(1, DOWN))).isEqualTo("dc2 node-1 is DOWN: busy");
    }

    @Test
    void the_first_datacenter_relies_on_gossip_while_the_second_is_silent() {
        Scene scene = declaredAnew(HERE_FIRST).peer(3, 1, 1, true, null).peerSilent();
        assertThat(beforeTouchingNode0(scene)).isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(scene.remoteSeen(0, false))).isEqualTo("node-1 sees 127.1.2.1:7000 (dc2) DOWN");
    }

    @Test
    void gossip_gets_time_to_show_what_a_silent_datacenter_did_last() {
        Scene scene = declaredAnew(HERE_FIRST).peer(3, 1, 1, true, null).peerSilent(Scene.NOW.minusSeconds(29));
        assertThat(beforeTouchingNode0(scene))
                .isEqualTo("dc2 is silent: unreachable; gossip may not show yet what it did last");
        assertThat(beforeTouchingNode0(scene.peerSilent(Scene.NOW.minusSeconds(30))))
                .isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(scene.peerSilent(Scene.NOW.plusSeconds(3600))))
                .as("the clock was set back")
                .isEqualTo(OPEN);
    }

    @Test
    void the_second_datacenter_waits_for_the_first_also_while_it_is_silent() {
        Scene scene = declaredAnew(hereLast());
        assertThat(beforeTouchingNode0(scene.peer(3, 2, 1, true, null)))
                .isEqualTo("dc2 applies version 2 first; it has settled version 1");
        assertThat(beforeTouchingNode0(scene.peerSilent()))
                .isEqualTo("dc2 is silent: unreachable; dc2 applies version 2 first");
        assertThat(beforeTouchingNode0(scene.peer(3, 2, 2, true, null))).isEqualTo(OPEN);
    }

    @Test
    void a_datacenter_that_is_to_leave_is_asked_like_those_of_the_spec_while_it_has_nodes() {
        Scene scene = Scene.live(HERE_FIRST).version(HERE_ALONE);
        assertThat(beforeTouchingNode0(scene.peer(3, 1, 1, true, null)))
                .isEqualTo("dc2 does not know of version 2 yet");
        assertThat(beforeTouchingNode0(scene.peer(3, 2, 1, true, null).peerNode(2, LEAVING)))
                .isEqualTo("dc2 node-2 is LEAVING: busy");
        assertThat(beforeTouchingNode0(scene.peerSilent())).isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(scene.peer(0, 1, 1, true, null))).isEqualTo(OPEN);
    }

    @Test
    void a_request_waits_until_a_datacenter_that_is_to_leave_has_left() {
        Scene scene = Scene.live(HERE_ALONE).settled().peer(3, 1, 0, true, null);
        assertThat(beforeRestartingNode0(scene)).isEqualTo("the spec goes first: version 1 is not settled in dc2");
        assertThat(beforeRestartingNode0(scene.peerSilent())).isEqualTo(OPEN);
        assertThat(beforeRestartingNode0(scene.peer(0, 1, 1, true, null))).isEqualTo(OPEN);
    }

    @Test
    void a_datacenter_that_is_to_leave_waits_for_those_that_stay_also_while_they_are_silent() {
        Scene scene = Scene.live(hereLast()).version(otherAlone()).peer(3, 2, 1, true, null);
        assertThat(beforeTouchingNode0(scene)).isEqualTo("dc2 applies version 2 first; it has settled version 1");
        assertThat(beforeTouchingNode0(scene.peerSilent()))
                .isEqualTo("dc2 is silent: unreachable; dc2 applies version 2 first");
        assertThat(beforeTouchingNode0(scene.peer(3, 2, 2, true, null))).isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(scene.peerNode(1, DOWN))).isEqualTo("dc2 node-1 is DOWN: busy");
    }

    @Test
    void a_node_that_is_alone_in_its_datacenter_is_asked_itself_how_it_sees_the_others() {
        Scene scene = declaredAnew(Samples.spec("rides", 1, 1, 3, 2)).peer(3, 2, 2, true, null);
        assertThat(beforeTouchingNode0(scene)).isEqualTo(OPEN);
        assertThat(beforeTouchingNode0(scene.remoteSeen(0, false))).isEqualTo("node-0 sees 127.1.2.1:7000 (dc2) DOWN");
        assertThat(beforeTouchingNode0(scene.says(0, DOWN))).isEqualTo(OPEN);
    }

    @Test
    void the_last_node_of_its_datacenter_is_asked_itself_after_all_others_have_left() {
        Scene scene = declaredAnew(Samples.spec("rides", 2, 1, 3, 2)).peer(3, 2, 2, true, null);
        scene.record(1, NodeRecord::takenAway).unheard(1);
        assertThat(beforeTouchingNode0(scene.remoteSeen(0, false))).isEqualTo("node-0 sees 127.1.2.1:7000 (dc2) DOWN");
    }

    @Test
    void a_broken_node_does_not_wait_for_the_order_of_the_datacenters() {
        Scene scene = declaredAnew(hereLast()).peer(3, 2, 1, true, null);
        assertThat(beforeTouchingNode0(scene.says(0, DOWN, 1, 0, BROKEN))).isEqualTo(OPEN);
    }
}
