package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClearSnapshotsTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final String BACKUP = "20261124T040000Z-3f9c";

    private static Planned plan(View view, Map<String, String> params) {
        return Operations.named("clear-snapshots").orElseThrow().plan(view, Scene.RIDES, params);
    }

    private static List<String> refused(View view, String tag) {
        return plan(view, Map.of("tag", tag)) instanceof Planned.Refused refused
                ? refused.problems().stream().map(Problem::line).toList()
                : List.of();
    }

    private static View backup(RequestPart.State state) {
        Request asked = new Request(
                new RequestId(Samples.DC1, 1),
                Scene.RIDES,
                "dc1-1",
                Backup.NAME,
                LockScope.BACKUP,
                Map.of("to", "main", "id", BACKUP),
                "bob",
                "",
                Scene.NOW,
                null);
        RequestRecord known = new RequestRecord(asked, new RequestPart(state, null, Scene.NOW, "sends"));
        return Scene.live(SPEC).settled().view().with(List.of(new Change.Put(known)));
    }

    @Test
    void the_task_gets_the_name_of_the_snapshot() {
        Planned.Draft draft = (Planned.Draft) plan(Scene.live(SPEC).view(), Map.of("tag", "before upgrade"));
        assertThat(draft.phases().get(0).steps()).hasSize(3).allSatisfy(s -> assertThat(s.args())
                .containsEntry("kind", "CLEAR_SNAPSHOTS")
                .containsEntry("task.tag", "before upgrade"));
    }

    @Test
    void a_name_that_is_none_is_refused() {
        assertThat(refused(Scene.live(SPEC).view(), " "))
                .containsExactly("tag: must be the name of a snapshot, or be left out");
    }

    @Test
    void the_snapshot_of_a_backup_is_refused_until_the_backup_is_over() {
        String tag = "ringmaster-" + BACKUP;
        assertThat(refused(backup(RequestPart.State.PLANNED), tag))
                .containsExactly("tag: '" + tag + "' is the snapshot of backup dc1-r1 (asked by bob), which is not over"
                        + " and removes it at its end -> ringmaster operation status rides");
        assertThat(refused(backup(RequestPart.State.PLANNED), "ringmaster-20261123T040000Z-11aa"))
                .as("what is left of an earlier one")
                .isEmpty();
        assertThat(refused(backup(RequestPart.State.ENDED), tag)).isEmpty();
    }
}
