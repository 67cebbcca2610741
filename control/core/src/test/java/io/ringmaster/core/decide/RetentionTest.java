package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.operation.Backup;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private static RequestRecord request(int number, String operation, String who, State state) {
        Request request = new Request(
                new RequestId(Samples.DC1, number),
                Scene.RIDES,
                "dc1-1",
                operation,
                LockScope.BACKUP,
                Map.of(),
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
                        request(3, Backup.NAME, ScheduledRepair.WHO, State.ENDED)))
                .containsExactly(path(1));
    }

    @Test
    void the_last_backup_that_was_made_is_kept() {
        assertThat(removed(
                        request(1, Backup.NAME, "anna", State.DONE),
                        request(2, Backup.NAME, "anna", State.DONE),
                        request(3, Backup.NAME, "anna", State.ENDED)))
                .containsExactly(path(1), path(3));
    }
}
