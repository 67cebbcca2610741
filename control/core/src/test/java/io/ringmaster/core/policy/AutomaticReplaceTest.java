package io.ringmaster.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineBuilder;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.AutomaticReplacement;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AutomaticReplaceTest {
    private static final Duration HALF_HOUR = Duration.ofMinutes(30);
    private static final ClusterSpec SPEC =
            Samples.spec("rides", 3, 2).with(new AutomaticReplacement(HALF_HOUR.toMinutes()));

    /** Node-1 was lost with its machine this long ago. */
    private static Scene lost(Duration ago) {
        return Scene.live(SPEC)
                .settled()
                .peer(0, 1, 1, true, null)
                .without(Samples.machine(2, "r2"))
                .says(1, OperatingMode.DOWN)
                .silent(1)
                .record(1, r -> r.lost(Scene.NOW.minus(ago)));
    }

    private static boolean due(View view) {
        return AutomaticReplace.dueHere(view, Scene.RIDES, 1).isPresent();
    }

    private static View asked(View view, String cluster, RequestPart.State state, Duration ago) {
        return asked(view, cluster, state, ago, false);
    }

    private static View asked(View view, String cluster, RequestPart.State state, Duration ago, boolean repairs) {
        Instant at = Scene.NOW.minus(ago);
        Request request = new Request(
                new RequestId(Samples.DC1, 3),
                new ClusterName(cluster),
                view.targetSpec(Scene.RIDES).orElseThrow().incarnation(),
                "replace",
                LockScope.MEND,
                Map.of("node", "dc1/node-1"),
                AutomaticReplace.WHO,
                "",
                at,
                null);
        return view.with(List.of(new Change.Put(
                new RequestRecord(request, new RequestPart(state, null, at, "runs", repairs, Set.of())))));
    }

    @Test
    void a_node_whose_machine_is_lost_for_long_enough_is_due() {
        assertThat(due(lost(HALF_HOUR.minusSeconds(1)).view())).isFalse();
        assertThat(AutomaticReplace.dueHere(lost(HALF_HOUR).view(), Scene.RIDES, 1))
                .hasValueSatisfying(d -> {
                    assertThat(d.params()).isEqualTo(Map.of("node", "dc1/node-1"));
                    assertThat(d.why())
                            .isEqualTo("machine-2 has been lost since 2026-01-01T11:30:00Z, for more than 30m");
                });
    }

    @Test
    void a_machine_that_the_pool_lists_but_cannot_reach_is_lost_too() {
        Scene cutOff = lost(HALF_HOUR).with(Samples.machine(2, "r2"));
        assertThat(due(cutOff.view())).isFalse();
        assertThat(due(cutOff.machine(1, m -> MachineBuilder.from(m).withState(Machine.State.UNREACHABLE))
                        .view()))
                .isTrue();
    }

    @Test
    void a_node_that_reports_or_is_seen_alive_is_not() {
        assertThat(due(lost(HALF_HOUR).with(Samples.machine(2, "r2")).view())).isFalse();
        assertThat(due(lost(HALF_HOUR).says(1, OperatingMode.DOWN).view())).isFalse();
        assertThat(due(lost(HALF_HOUR).says(1, OperatingMode.NORMAL).silent(1).view()))
                .as("others still see it alive")
                .isFalse();
        assertThat(due(lost(HALF_HOUR).poolUnseen().view())).isFalse();
    }

    @Test
    void while_another_node_is_down_nothing_is_requested() {
        assertThat(due(lost(HALF_HOUR).says(2, OperatingMode.DOWN).view())).isFalse();
    }

    @Test
    void until_another_node_has_repaired_the_ranges_that_it_took_over_nothing_is_requested() {
        assertThat(due(lost(HALF_HOUR).record(2, r -> r.owing(Scene.NOW)).view()))
                .isFalse();
        assertThat(due(lost(HALF_HOUR).record(1, r -> r.owing(Scene.NOW)).view()))
                .as("a replacement that is lost before its own repair")
                .isTrue();
        assertThat(due(lost(HALF_HOUR)
                        .record(2, r -> r.owing(Scene.NOW).leave(null).takenAway())
                        .view()))
                .as("the ranges of a node that has left have other owners")
                .isTrue();
    }

    @Test
    void the_maximum_in_progress_is_fleet_wide() {
        View view = asked(lost(HALF_HOUR).view(), "eats", RequestPart.State.PLANNED, Duration.ofMinutes(1));
        assertThat(due(view)).isFalse();
        assertThat(AutomaticReplace.dueHere(view, Scene.RIDES, 2)).isPresent();
        assertThat(AutomaticReplace.dueHere(lost(HALF_HOUR).view(), Scene.RIDES, 0))
                .isEmpty();
    }

    @Test
    void a_replacement_whose_node_has_joined_does_not_count() {
        View repairs = asked(lost(HALF_HOUR).view(), "eats", RequestPart.State.PLANNED, Duration.ofMinutes(1), true);
        assertThat(due(repairs)).isTrue();
        View lost = lost(HALF_HOUR.multipliedBy(3)).view();
        assertThat(due(asked(lost, "rides", RequestPart.State.PLANNED, HALF_HOUR, true)))
                .isTrue();
        assertThat(due(asked(lost, "rides", RequestPart.State.PLANNED, HALF_HOUR.minusSeconds(1), true)))
                .as("the replacement is lost before it has repaired")
                .isFalse();
    }

    @Test
    void an_aborted_replacement_is_requested_again_after_the_same_time() {
        View lost = lost(HALF_HOUR.multipliedBy(3)).view();
        assertThat(due(asked(lost, "rides", RequestPart.State.ENDED, HALF_HOUR.minusSeconds(1))))
                .isFalse();
        assertThat(due(asked(lost, "rides", RequestPart.State.ENDED, HALF_HOUR)))
                .isTrue();
        assertThat(due(asked(lost, "rides", RequestPart.State.PLANNED, HALF_HOUR)))
                .isFalse();
    }

    @Test
    void servers_request_in_different_windows_and_not_while_one_is_silent() {
        Scene scene = lost(HALF_HOUR);
        assertThat(due(scene.later(5).view()))
                .as("the request reaches the others")
                .isFalse();
        assertThat(due(scene.later(10).view())).as("the window of dc2").isFalse();
        assertThat(due(scene.later(15).view())).isTrue();
        assertThat(due(scene.peerSilent().view())).isFalse();
    }
}
