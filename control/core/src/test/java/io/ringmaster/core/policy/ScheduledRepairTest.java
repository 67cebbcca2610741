package io.ringmaster.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.operation.Planned;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RepairSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScheduledRepairTest {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final ClusterSpec PLAIN = Samples.spec("rides", 3, 2);
    private static final ClusterSpec WEEKLY = PLAIN.with(new RepairSchedule(WEEK.toMinutes(), 0.5));

    /** Every node reports that it repaired all its ranges this long ago. */
    private static Scene repaired(ClusterSpec spec, Duration ago) {
        Scene scene = Scene.live(spec).settled();
        for (int i = 0; i < 3; i++) {
            scene.repaired(i, 1, Scene.NOW.minus(ago));
        }
        return scene;
    }

    private static boolean asked(View view) {
        return ScheduledRepair.dueHere(view, Scene.RIDES).isPresent();
    }

    private static View with(View view, RequestPart.State state, String who, Instant at) {
        Request request = new Request(
                new RequestId(Samples.DC1, 3),
                Scene.RIDES,
                "dc1-1",
                "repair",
                LockScope.REPAIR,
                Map.of(),
                who,
                "",
                at,
                null);
        return view.with(List.of(new Change.Put(new RequestRecord(request, new RequestPart(state, null, at, "runs")))));
    }

    @Test
    void without_a_schedule_nothing_is_requested() {
        View view = repaired(PLAIN, WEEK.multipliedBy(3)).view();
        assertThat(ScheduledRepair.next(view, Scene.RIDES)).isEmpty();
        assertThat(asked(view)).isFalse();
    }

    @Test
    void a_repair_is_requested_before_the_oldest_range_is_older_than_the_interval() {
        assertThat(asked(repaired(WEEKLY, Duration.ofDays(6)).view())).isFalse();
        View due = repaired(WEEKLY, Duration.ofHours(1))
                .repaired(1, 1, Scene.NOW.minus(WEEK))
                .view();
        assertThat(ScheduledRepair.dueHere(due, Scene.RIDES)).contains(Map.of("max_age", "84h", "intensity", "0.5"));
        assertThat(new Repair().plan(due, Scene.RIDES, Map.of("max_age", "84h", "intensity", "0.5")))
                .isInstanceOf(Planned.Draft.class);
    }

    @Test
    void ranges_that_were_never_repaired_are_due_soon_after_the_schedule_was_declared() {
        Scene scene = repaired(WEEKLY, Duration.ofHours(1)).repaired(2, 0.4, Scene.NOW);
        Optional<NextRun> next = ScheduledRepair.next(scene.view(), Scene.RIDES);
        assertThat(next).hasValueSatisfying(n -> {
            assertThat(n.due()).isBetween(Scene.NOW, Scene.NOW.plus(WEEK.dividedBy(32)));
            assertThat(n.why()).isEqualTo("ranges were never repaired");
        });
        assertThat(asked(scene.later((int) WEEK.dividedBy(32).toSeconds()).view()))
                .isTrue();
    }

    @Test
    void clusters_that_were_declared_together_are_not_due_together() {
        Instant rides = ScheduledRepair.next(repaired(WEEKLY, WEEK).view(), Scene.RIDES)
                .orElseThrow()
                .due();
        assertThat(rides).isBetween(Scene.NOW.minus(WEEK.dividedBy(32)), Scene.NOW);
        assertThat(rides).isNotEqualTo(Scene.NOW);
    }

    @Test
    void none_is_requested_during_another_repair() {
        View due = repaired(WEEKLY, WEEK).view();
        assertThat(asked(due)).isTrue();
        View busy = with(due, RequestPart.State.PLANNED, "anna", Scene.NOW);
        assertThat(asked(busy)).isFalse();
        assertThat(ScheduledRepair.next(busy, Scene.RIDES)).hasValueSatisfying(n -> {
            assertThat(n.due()).isNull();
            assertThat(n.why()).isEqualTo("repair dc1-r3 (asked by anna) has not finished");
        });
        assertThat(asked(with(due, RequestPart.State.DONE, "anna", Scene.NOW))).isTrue();
    }

    @Test
    void a_recent_request_is_not_repeated_whatever_its_outcome() {
        View due = repaired(WEEKLY, WEEK).view();
        assertThat(asked(with(due, RequestPart.State.ENDED, ScheduledRepair.WHO, Scene.NOW.minusSeconds(60))))
                .isFalse();
        assertThat(asked(with(due, RequestPart.State.ENDED, ScheduledRepair.WHO, Scene.NOW.minus(Duration.ofDays(1)))))
                .isTrue();
    }

    @Test
    void the_pause_after_a_long_repair_that_failed_counts_from_its_end() {
        View asked = with(
                repaired(WEEKLY, WEEK).view(), RequestPart.State.ENDED, ScheduledRepair.WHO, Scene.NOW.minus(WEEK));
        RequestRecord record = asked.requests().get(new RequestId(Samples.DC1, 3));
        RequestPart ended = new RequestPart(RequestPart.State.ENDED, null, Scene.NOW.minusSeconds(60), "failed");
        assertThat(asked(asked)).isTrue();
        assertThat(asked(asked.with(List.of(new Change.Put(new RequestRecord(record.request(), ended))))))
                .isFalse();
    }

    @Test
    void without_a_report_of_every_node_the_next_repair_is_unknown() {
        View view = repaired(WEEKLY, WEEK).unheard(1).view();
        assertThat(asked(view)).isFalse();
        assertThat(ScheduledRepair.next(view, Scene.RIDES))
                .hasValueSatisfying(n -> assertThat(n.why()).isEqualTo("node-1 has not reported its ranges"));
    }

    @Test
    void it_waits_for_the_spec_to_settle() {
        Scene scene = repaired(WEEKLY, WEEK).version(WEEKLY.with(new RepairSchedule(WEEK.toMinutes(), 1)));
        assertThat(asked(scene.view())).isFalse();
    }

    @Test
    void only_the_first_datacenter_requests_and_the_ranges_of_all_count() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2).with(WEEKLY.repair());
        Scene scene = repaired(both, Duration.ofHours(1)).peer(3, 1, 1, true, null);
        assertThat(asked(scene.view())).isFalse();
        assertThat(asked(scene.peerRepaired(Scene.NOW.minus(WEEK)).view())).isTrue();
        assertThat(asked(scene.peerSilent().view())).isFalse();
        ClusterSpec turned = both.withDatacenters(
                List.of(both.datacenters().get(1), both.datacenters().get(0)));
        View second = repaired(turned, WEEK)
                .peer(3, 1, 1, true, null)
                .peerRepaired(Scene.NOW.minus(WEEK))
                .view();
        assertThat(ScheduledRepair.next(second, Scene.RIDES))
                .hasValueSatisfying(n -> assertThat(n.due()).isBeforeOrEqualTo(Scene.NOW));
        assertThat(asked(second)).isFalse();
    }
}
