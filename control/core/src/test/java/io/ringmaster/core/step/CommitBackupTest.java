package io.ringmaster.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The deciding datacenter is dc1, the other one dc2. */
class CommitBackupTest {
    private static final String ID = "20260101T120000Z-3f9c";
    private static final CommitBackup STEP = new CommitBackup(Scene.RIDES, ID, Map.of("to", "main", "backup", ID));
    private static final Request REQUEST = new Request(
            new RequestId(Samples.DC1, 1),
            Scene.RIDES,
            "dc1-1",
            "backup",
            LockScope.BACKUP,
            Map.of("to", "main", "id", ID),
            "anna",
            "",
            Scene.NOW,
            List.of(Samples.DC1, Samples.DC2));

    private static Scene live() {
        return Scene.live(Samples.spec("rides", 3, 2, 3, 2)).settled().peer(3, 1, 1, true, null);
    }

    private static RequestRecord part(State state, String reason) {
        return new RequestRecord(REQUEST, new RequestPart(state, null, Scene.NOW, reason));
    }

    private static Verdict next(View view, Map<String, String> memory) {
        View known = view.with(List.of(new Change.Put(part(State.PLANNED, "plan dc1-2 is running"))));
        return STEP.next(known, AvailabilityCheck.ONE_AT_A_TIME, memory);
    }

    private static String line(Scene scene) {
        return Verdicts.line(next(scene.view(), Map.of()));
    }

    private static Scene sent() {
        return live().peerRequest(part(State.DONE, "plan dc2-5 is complete"));
    }

    @Test
    void the_manifest_is_written_when_every_other_datacenter_has_sent_its_part() {
        assertThat(line(live())).isEqualTo("wait: dc2 does not know of this request yet");
        assertThat(line(live().peerRequest(part(State.PLANNED, "plan dc2-5 is running"))))
                .isEqualTo("wait: dc2 sends its part: plan dc2-5 is running");
        assertThat(line(sent())).endsWith("requests backup-commit");
    }

    @Test
    void a_datacenter_that_ends_its_part_ends_the_backup() {
        assertThat(line(live().peerRequest(part(State.ENDED, "plan dc2-5 is aborted"))))
                .isEqualTo("given up TASK_FAILED: dc2 has not sent its part: plan dc2-5 is aborted");
        assertThat(line(live().peerRequest(part(State.REFUSED, "rides is stopped"))))
                .isEqualTo("given up TASK_FAILED: dc2 has not sent its part: rides is stopped");
    }

    @Test
    void a_datacenter_that_was_done_may_be_silent_and_one_that_was_not_is_waited_for() {
        assertThat(line(sent().peerSilent())).endsWith("requests backup-commit");
        assertThat(line(live().peerRequest(part(State.PLANNED, "plan dc2-5 is running"))
                        .peerSilent()))
                .isEqualTo("wait: dc2 is silent: unreachable");
    }

    @Test
    void another_node_writes_the_manifest_when_the_first_falls_silent() {
        Verdict.Do asked = (Verdict.Do) next(sent().view(), Map.of());
        assertThat(asked.memory()).containsEntry("node", "rides/dc1/node-0");
        Scene after = sent().after(asked.changes());
        assertThat(Verdicts.line(next(after.says(0, OperatingMode.NORMAL).view(), asked.memory())))
                .as("the first still answers")
                .startsWith("wait: the executor has not started the transfer yet");
        Verdict.Do again = (Verdict.Do) next(after.silent(0).view(), asked.memory());
        assertThat(again.memory())
                .containsEntry("node", "rides/dc1/node-1")
                .doesNotContainEntry("transfer", asked.memory().get("transfer"));
        Scene alone = sent().silent(0).silent(1).silent(2);
        assertThat(line(alone)).isEqualTo("wait: no executor of dc1 answers");
    }

    @Test
    void a_manifest_that_cannot_be_written_ends_the_plan() {
        Verdict.Do asked = (Verdict.Do) next(sent().view(), Map.of());
        Scene failed = sent().after(asked.changes())
                .says(0, OperatingMode.NORMAL)
                .transfer(0, TaskStatus.State.FAILED, 0, 0, "node-3 is not in the ring that node-0 saw");
        assertThat(Verdicts.line(next(failed.view(), asked.memory())))
                .startsWith(
                        "given up TASK_FAILED: backup-commit of rides/dc1/node-0 failed: node-3 is not in the ring");
    }

    @Test
    void nobody_declares_a_backup_done_that_has_no_manifest() {
        assertThat(STEP.forced(live().view())).isInstanceOf(Verdict.Failed.class);
    }
}
