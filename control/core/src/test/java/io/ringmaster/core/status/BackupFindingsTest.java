package io.ringmaster.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.CollectBackups;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.SpecRecordBuilder;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackupFindingsTest {
    private static final BackupSchedule SIX_HOURS = new BackupSchedule("main", 360, null, 0);
    private static final ClusterSpec SCHEDULED = Samples.spec("rides", 3, 2).with(SIX_HOURS);
    private static final int DAY = 24 * 60 * 60;

    private static RequestRecord backup(int number, State state, Duration ago, String reason) {
        return backup(number, "main", state, ago, reason, new PlanId(Samples.DC1, 9));
    }

    private static RequestRecord backup(int number, String to, State state, Duration ago, String reason, PlanId plan) {
        Instant at = Scene.NOW.minus(ago);
        Request request = new Request(
                new RequestId(Samples.DC1, number),
                Scene.RIDES,
                "dc1-1",
                "backup",
                LockScope.BACKUP,
                Map.of("to", to, "id", "20260101T120000Z-000" + number),
                "schedule",
                "",
                at,
                null);
        return new RequestRecord(request, new RequestPart(state, plan, at, reason));
    }

    private static List<String> lines(View view) {
        return new BackupFindings(view, Scene.RIDES)
                .all().stream().map(f -> f.problem().line()).toList();
    }

    private static List<String> after(RequestRecord... backups) {
        List<Change> stored = new ArrayList<>();
        List.of(backups).forEach(b -> stored.add(new Change.Put(b)));
        return lines(Scene.live(SCHEDULED).settled().view().with(stored));
    }

    @Test
    void a_cluster_without_a_schedule_has_none() {
        Scene plain = Scene.live(Samples.spec("rides", 3, 2)).settled().later(365 * DAY);
        assertThat(lines(plain.view())).isEmpty();
    }

    @Test
    void a_backup_is_overdue_at_one_and_a_half_times_the_interval() {
        assertThat(after(backup(3, State.DONE, Duration.ofMinutes(539), ""))).isEmpty();
        assertThat(after(backup(3, State.DONE, Duration.ofHours(9), "")))
                .containsExactly("backup is overdue: the last one at main is 540 min old; every 6h"
                        + " -> ringmaster backup create rides --to main");
        assertThat(after(backup(3, State.DONE, Duration.ofHours(11), "")))
                .singleElement()
                .asString()
                .contains("is 11 h old");
    }

    @Test
    void a_cluster_that_never_had_one_is_overdue_too_and_another_version_does_not_hide_it() {
        assertThat(lines(Scene.live(SCHEDULED).settled().view())).isEmpty();
        View later = Scene.live(SCHEDULED).settled().later(DAY).view();
        SpecRecord second = SpecRecordBuilder.builder(
                        later.targetSpec(Scene.RIDES).orElseThrow())
                .version(2)
                .appliedAt(later.now())
                .build();
        ClusterRecord cluster = later.clusters().get(Scene.RIDES).withTarget(2);
        assertThat(lines(later.with(List.of(new Change.Put(second), new Change.Put(cluster)))))
                .singleElement()
                .asString()
                .startsWith("backup is overdue: main has no backup yet; every 6h");
    }

    @Test
    void a_last_one_of_the_future_is_named() {
        assertThat(after(backup(3, State.DONE, Duration.ofDays(-2), "")))
                .containsExactly(
                        "the last backup at main, 20260101T120000Z-0003, is of the future: a server's clock was"
                                + " wrong then, or is wrong now -> set the clocks of the servers");
    }

    @Test
    void an_overdue_one_that_waits_says_why_and_where_to_look() {
        assertThat(after(
                        backup(3, State.DONE, Duration.ofHours(11), ""),
                        backup(4, State.PLANNED, Duration.ofHours(5), "")))
                .containsExactly("backup is overdue: the last one at main is 11 h old; every 6h; backup dc1-r4 (asked"
                        + " by schedule) has not finished -> ringmaster operation status rides");
    }

    @Test
    void the_last_one_that_failed_is_shown_with_its_reason_until_one_is_made() {
        RequestRecord failed =
                backup(4, State.ENDED, Duration.ofMinutes(5), "plan dc1-9 is aborted: upload failed: main is full");
        assertThat(after(backup(3, State.DONE, Duration.ofHours(6), ""), failed))
                .containsExactly("backup dc1-r4 (asked by schedule) failed: plan dc1-9 is aborted: upload failed: main"
                        + " is full; the next one is due at 2026-01-01T12:40:00Z -> ringmaster plan show dc1-9");
        assertThat(after(backup(3, State.ENDED, Duration.ofHours(6), "the same"), failed))
                .singleElement()
                .asString()
                .contains("main is full; 2 in a row, and the pause after them doubles each time; the next one is due at"
                        + " 2026-01-01T13:25:00Z");
        assertThat(after(failed, backup(5, State.DONE, Duration.ofMinutes(1), "")))
                .isEmpty();
    }

    private static final String READS = "nothing is deleted while a restore is in progress: rides2.dc1 reads b1";

    /** A backup to a location that deleted older ones, or that says why it did not. */
    private static List<Change> retained(int number, String to, @Nullable String whyKept) {
        StepState step = Steps.pending(new CollectBackups(Scene.RIDES, Map.of("keep_last", "4"), true));
        StepState over = new StepState(
                step.name(),
                step.type(),
                step.args(),
                whyKept == null ? Map.of() : Map.of("why_kept", whyKept),
                StepState.Status.DONE,
                Scene.NOW,
                Scene.NOW,
                "",
                Scene.NOW,
                null);
        PlanId plan = new PlanId(Samples.DC1, number);
        Plan complete = new Plan(
                plan,
                Scene.RIDES,
                "backup",
                Map.of(),
                1,
                "anna",
                null,
                Scene.NOW,
                Scene.NOW,
                PlanStatus.COMPLETE,
                List.of(new Phase("retain", Phase.Strategy.SERIAL, List.of(over))),
                List.of(),
                null,
                null);
        return List.of(
                new Change.Put(new PlanRecord(complete)),
                new Change.Put(backup(number, to, State.DONE, Duration.ofHours(1), "", plan)));
    }

    private static List<String> withoutSchedule(List<List<Change>> backups) {
        View view = Scene.live(Samples.spec("rides", 3, 2)).settled().view();
        return lines(view.with(backups.stream().flatMap(List::stream).toList()));
    }

    @Test
    void older_backups_that_stay_are_named_with_the_reason_until_a_later_deletion_at_that_location() {
        String finding = "the backups at main that were to go after 20260101T120000Z-0003 stay: " + READS
                + " -> ringmaster plan show dc1-3";
        assertThat(withoutSchedule(List.of(retained(3, "main", READS)))).containsExactly(finding);
        assertThat(withoutSchedule(List.of(retained(3, "main", READS), retained(4, "main", null))))
                .isEmpty();
        assertThat(withoutSchedule(List.of(retained(3, "main", READS), retained(4, "other", null))))
                .containsExactly(finding);
        assertThat(withoutSchedule(List.of(
                        retained(3, "main", READS),
                        List.of(new Change.Put(backup(5, State.DONE, Duration.ofMinutes(1), ""))))))
                .as("a backup that keeps all says nothing")
                .containsExactly(finding);
        assertThat(after(backup(3, State.DONE, Duration.ofMinutes(9), ""))).isEmpty();
    }

    @Test
    void the_second_datacenter_reports_while_the_first_does_not_answer() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2).with(SIX_HOURS);
        ClusterSpec turned = both.withDatacenters(
                List.of(both.datacenters().get(1), both.datacenters().get(0)));
        Scene second = Scene.live(turned).settled().peer(3, 1, 1, true, null).later(DAY);
        assertThat(lines(second.view())).isEmpty();
        assertThat(lines(second.peerSilent().view())).hasSize(1);
    }
}
