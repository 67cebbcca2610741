package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.operation.Backup;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.record.AuditOrigin;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.TokenRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private static RequestRecord request(int number, String operation, String who, State state) {
        return request(number, operation, who, state, Map.of());
    }

    private static RequestRecord backup(int number, String who, State state, String to) {
        return request(number, Backup.NAME, who, state, Map.of("to", to));
    }

    private static RequestRecord request(
            int number, String operation, String who, State state, Map<String, String> params) {
        Request request = new Request(
                new RequestId(Samples.DC1, number),
                Scene.RIDES,
                "dc1-1",
                operation,
                LockScope.BACKUP,
                params,
                who,
                "",
                Scene.NOW,
                null);
        return new RequestRecord(request, new RequestPart(state, null, Scene.NOW, "over"));
    }

    /** The paths of the requests that are removed when these are followed by as many flushes as are kept. */
    private static List<String> removed(RequestRecord... first) {
        List<Change> stored = new ArrayList<>();
        for (RequestRecord record : first) {
            stored.add(new Change.Put(record));
        }
        IntStream.rangeClosed(1, Retention.REQUESTS)
                .forEach(i -> stored.add(new Change.Put(request(100 + i, "flush", "anna", State.DONE))));
        View view = Scene.live(Samples.spec("rides", 3, 2)).settled().view().with(stored);
        return Retention.surplus(view).stream()
                .filter(c -> c instanceof Change.Remove)
                .map(c -> c.key().path())
                .toList();
    }

    private static String path(int number) {
        return request(number, "flush", "anna", State.DONE).key().path();
    }

    @Test
    void the_last_request_of_a_schedule_is_kept_for_each_operation() {
        assertThat(removed(
                        request(1, Repair.NAME, ScheduledRepair.WHO, State.DONE),
                        request(2, Repair.NAME, ScheduledRepair.WHO, State.DONE),
                        backup(3, ScheduledRepair.WHO, State.ENDED, "main")))
                .containsExactly(path(1));
    }

    @Test
    void scheduled_backups_do_not_push_out_the_last_scheduled_repair() {
        RequestRecord[] all = IntStream.rangeClosed(1, 60)
                .mapToObj(i -> i == 1
                        ? request(1, Repair.NAME, ScheduledRepair.WHO, State.DONE)
                        : backup(i, ScheduledRepair.WHO, State.DONE, "main"))
                .toArray(RequestRecord[]::new);
        assertThat(removed(all)).hasSize(58).doesNotContain(path(1), path(60));
    }

    @Test
    void the_last_backup_that_was_made_at_each_location_is_kept() {
        assertThat(removed(
                        backup(1, "anna", State.DONE, "main"),
                        backup(2, "anna", State.DONE, "main"),
                        backup(3, "anna", State.DONE, "other"),
                        backup(4, "anna", State.ENDED, "main")))
                .containsExactly(path(1), path(4));
    }

    private static AuditRecord entry(long number, boolean refused) {
        var origin = AuditOrigin.refused(null, "192.0.2.1", 401);
        return new AuditRecord(number, Scene.NOW, "anna", "apply rides", "done", refused ? origin : null);
    }

    @Test
    void refused_requests_push_out_their_own_kind_alone() {
        List<AuditRecord> stored = new ArrayList<>();
        LongStream.rangeClosed(1, Retention.AUDITS).forEach(i -> stored.add(entry(i, false)));
        LongStream.rangeClosed(1, Retention.REFUSED_AUDITS).forEach(i -> stored.add(entry(Retention.AUDITS + i, true)));
        long next = Retention.AUDITS + Retention.REFUSED_AUDITS + 1;
        assertThat(Retention.audit(stored, entry(0, true)))
                .containsExactly(
                        new Change.Put(entry(next, true)),
                        new Change.Remove(entry(Retention.AUDITS + 1, true).key()));
        assertThat(Retention.audit(stored, entry(0, false)))
                .containsExactly(
                        new Change.Put(entry(next, false)),
                        new Change.Remove(entry(1, false).key()));
    }

    @Test
    void a_token_is_forgotten_a_day_after_it_has_or_would_have_expired() {
        var token = new TokenRecord(
                new TokenId("dc1-aaaaaaaa"),
                "ci",
                Role.VIEWER,
                ClusterPattern.ALL,
                "00",
                "anna",
                Scene.NOW,
                Scene.NOW,
                null,
                null);
        for (TokenRecord ended : List.of(token, token.revoke(Scene.NOW.minusSeconds(60), "bob"))) {
            View view = Scene.live(Samples.spec("rides", 3, 2)).settled().view().with(List.of(new Change.Put(ended)));
            Instant end = Scene.NOW.plus(Retention.EXPIRED_TOKENS);
            assertThat(Retention.surplus(ViewBuilder.builder(view).now(end).build()))
                    .isEmpty();
            assertThat(Retention.surplus(
                            ViewBuilder.builder(view).now(end.plusSeconds(1)).build()))
                    .containsExactly(new Change.Remove(token.key()));
        }
    }
}
