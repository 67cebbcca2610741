package io.ringmaster.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.SubmitOperation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.Keep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScheduledBackupTest {
    private static final Duration EVERY = Duration.ofHours(6);
    private static final ClusterSpec PLAIN = Samples.spec("rides", 3, 2);
    private static final BackupSchedule SCHEDULE =
            new BackupSchedule("main", EVERY.toMinutes(), new Keep(4, 7), 100L << 20);
    private static final ClusterSpec SCHEDULED = PLAIN.with(SCHEDULE);

    private static View view() {
        return Scene.live(SCHEDULED).settled().view();
    }

    private static boolean asked(View view) {
        return ScheduledBackup.dueHere(view, Scene.RIDES).isPresent();
    }

    private static String why(View view) {
        return ScheduledBackup.next(view, Scene.RIDES).orElseThrow().why();
    }

    private static RequestRecord request(int number, State state, String who, String to, Duration ago) {
        Instant at = Scene.NOW.minus(ago);
        Request request = new Request(
                new RequestId(Samples.DC1, number),
                Scene.RIDES,
                "dc1-1",
                "backup",
                LockScope.BACKUP,
                Map.of("to", to),
                who,
                "",
                at,
                null);
        return new RequestRecord(request, new RequestPart(state, null, at, "over"));
    }

    private static View after(State state, String who, String to, Duration ago) {
        return view().with(List.of(new Change.Put(request(3, state, who, to, ago))));
    }

    @Test
    void without_a_schedule_nothing_is_requested() {
        View view = Scene.live(PLAIN).settled().view();
        assertThat(ScheduledBackup.next(view, Scene.RIDES)).isEmpty();
        assertThat(asked(view)).isFalse();
    }

    @Test
    void the_first_backup_is_requested_at_once() {
        assertThat(ScheduledBackup.dueHere(view(), Scene.RIDES))
                .contains(Map.of("to", "main", "bandwidth", "100MiB/s", "keep_last", "4", "keep_daily", "7"));
        assertThat(why(view())).isEqualTo("main has no backup yet");
    }

    @Test
    void the_operation_accepts_what_the_schedule_requests() {
        Map<String, String> params =
                ScheduledBackup.dueHere(view(), Scene.RIDES).orElseThrow();
        assertThat(new SubmitOperation(view(), "backup", Scene.RIDES, params, "schedule", "").answer())
                .isInstanceOf(Answer.Accepted.class);
        View plain = Scene.live(PLAIN.with(new BackupSchedule("main", 60, null, 0)))
                .settled()
                .view();
        assertThat(ScheduledBackup.dueHere(plain, Scene.RIDES)).contains(Map.of("to", "main"));
    }

    @Test
    void the_next_is_requested_when_the_last_one_is_old_whatever_requested_it() {
        assertThat(asked(after(State.DONE, "anna", "main", Duration.ofHours(5))))
                .isFalse();
        assertThat(asked(after(State.DONE, "anna", "main", EVERY))).isTrue();
        assertThat(asked(after(State.DONE, Schedule.WHO, "main", Duration.ofHours(5))))
                .isFalse();
        Instant due = Objects.requireNonNull(ScheduledBackup.next(after(State.DONE, "anna", "main", EVERY), Scene.RIDES)
                .orElseThrow()
                .due());
        assertThat(due).isBetween(Scene.NOW.minus(EVERY.dividedBy(32)), Scene.NOW);
    }

    @Test
    void a_request_of_the_future_has_no_age_and_holds_nothing_up() {
        Duration yearAhead = Duration.ofDays(-365);
        assertThat(asked(after(State.DONE, "anna", "main", yearAhead))).isTrue();
        assertThat(asked(after(State.ENDED, Schedule.WHO, "main", yearAhead))).isTrue();
        assertThat(why(after(State.DONE, "anna", "main", yearAhead)))
                .isEqualTo("the age of the last backup at main is not known");
        assertThat(asked(after(State.DONE, "anna", "main", Duration.ofHours(-20))))
                .as("clocks differ by hours")
                .isFalse();
    }

    @Test
    void a_backup_at_another_location_does_not_count() {
        assertThat(asked(after(State.DONE, "anna", "other", Duration.ofMinutes(5))))
                .isTrue();
    }

    @Test
    void none_is_requested_during_another_backup() {
        View busy = after(State.PLANNED, "anna", "other", Duration.ofDays(2));
        assertThat(asked(busy)).isFalse();
        assertThat(ScheduledBackup.next(busy, Scene.RIDES)).hasValueSatisfying(n -> {
            assertThat(n.due()).isNull();
            assertThat(n.why()).isEqualTo("backup dc1-r3 (asked by anna) has not finished");
        });
    }

    @Test
    void one_that_failed_is_tried_again_after_an_eighth_of_the_interval() {
        assertThat(asked(after(State.ENDED, Schedule.WHO, "main", Duration.ofMinutes(44))))
                .isFalse();
        assertThat(asked(after(State.ENDED, Schedule.WHO, "main", Duration.ofMinutes(46))))
                .isTrue();
        assertThat(asked(after(State.ENDED, "anna", "main", Duration.ofMinutes(1))))
                .isTrue();
    }

    @Test
    void the_pause_counts_from_the_failure_because_an_upload_may_take_longer_than_the_pause() {
        RequestRecord asked = request(3, State.ENDED, Schedule.WHO, "main", Duration.ofHours(2));
        var failed = new RequestPart(State.ENDED, null, Scene.NOW.minus(Duration.ofMinutes(44)), "the disk is full");
        assertThat(asked(view().with(List.of(new Change.Put(new RequestRecord(asked.request(), failed))))))
                .isFalse();
        assertThat(asked(view().with(List.of(new Change.Put(asked))))).isTrue();
    }

    private static View afterFailures(int failures, Duration ago) {
        return view().with(IntStream.range(0, failures)
                .<Change>mapToObj(i -> new Change.Put(
                        request(3 + i, State.ENDED, Schedule.WHO, "main", ago.plusDays(failures - 1 - i))))
                .toList());
    }

    @Test
    void the_pause_after_failures_in_a_row_doubles_up_to_a_day() {
        assertThat(asked(afterFailures(2, Duration.ofMinutes(89)))).isFalse();
        assertThat(asked(afterFailures(2, Duration.ofMinutes(91)))).isTrue();
        assertThat(asked(afterFailures(3, Duration.ofMinutes(179)))).isFalse();
        assertThat(asked(afterFailures(3, Duration.ofMinutes(181)))).isTrue();
        assertThat(asked(afterFailures(20, Duration.ofMinutes(1439)))).isFalse();
        assertThat(asked(afterFailures(20, Duration.ofMinutes(1441)))).isTrue();
        assertThat(why(afterFailures(3, EVERY))).isEqualTo("main has no backup yet; failed since: 3");
    }

    @Test
    void a_backup_that_was_made_ends_the_row_of_failures() {
        View view = view().with(List.of(
                new Change.Put(request(3, State.ENDED, Schedule.WHO, "main", Duration.ofDays(3))),
                new Change.Put(request(4, State.ENDED, Schedule.WHO, "main", Duration.ofDays(2))),
                new Change.Put(request(5, State.DONE, "anna", "main", Duration.ofDays(1))),
                new Change.Put(request(6, State.ENDED, Schedule.WHO, "main", Duration.ofMinutes(46)))));
        assertThat(asked(view)).isTrue();
    }

    @Test
    void a_stopped_cluster_and_one_that_is_not_complete_are_not_backed_up() {
        Scene stopped = Scene.live(SCHEDULED).settled();
        for (int i = 0; i < 3; i++) {
            stopped.record(i, r -> r.running(false)).says(i, OperatingMode.DOWN);
        }
        assertThat(asked(stopped.view())).isFalse();
        assertThat(why(stopped.view())).isEqualTo("the cluster is stopped");
        assertThat(why(Scene.placed(SCHEDULED).view())).isEqualTo("the cluster is not complete yet");
    }

    @Test
    void it_waits_for_the_spec_to_settle() {
        View view = Scene.live(SCHEDULED)
                .settled()
                .version(PLAIN.with(new BackupSchedule("main", 60, null, 0)))
                .view();
        assertThat(asked(view)).isFalse();
    }

    @Test
    void only_the_first_datacenter_requests_and_its_part_decides_whether_a_backup_was_made() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2).with(SCHEDULE);
        Scene scene = Scene.live(both).settled().peer(3, 1, 1, true, null);
        assertThat(asked(scene.view())).isTrue();
        assertThat(asked(scene.peerSilent().view())).isFalse();

        ClusterSpec turned = both.withDatacenters(
                List.of(both.datacenters().get(1), both.datacenters().get(0)));
        RequestRecord sent = request(3, State.DONE, Schedule.WHO, "main", Duration.ofMinutes(5));
        RequestRecord failed = request(3, State.ENDED, Schedule.WHO, "main", Duration.ofMinutes(5));
        Scene second = Scene.live(turned).settled().peer(3, 1, 1, true, null);
        assertThat(asked(second.view())).isFalse();
        View uncommitted = second.peerRequest(failed).view().with(List.of(new Change.Put(sent)));
        assertThat(BackupHistory.last(uncommitted, Scene.RIDES)).isEmpty();
        assertThat(BackupHistory.failed(uncommitted, Scene.RIDES, "main")).contains(sent.request());
        View made = second.peerRequest(sent).view().with(List.of(new Change.Put(sent)));
        assertThat(BackupHistory.last(made, Scene.RIDES)).isEqualTo(Optional.of(sent.request()));
        assertThat(BackupHistory.failed(made, Scene.RIDES, "main")).isEmpty();
    }
}
