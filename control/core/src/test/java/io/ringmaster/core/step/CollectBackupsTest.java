package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus.State;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CollectBackupsTest {
    private static final String READS = "nothing is deleted while a restore is in progress: rides2.dc1.node-0 reads b1";

    private static CollectBackups step(boolean afterBackup) {
        return new CollectBackups(Scene.RIDES, Map.of("to", "main", "keep_last", "4"), afterBackup);
    }

    private static Scene live() {
        return Scene.live(Samples.spec("rides", 3, 2)).settled();
    }

    private static Verdict.Do asked() {
        return (Verdict.Do) step(true).next(live().view(), ONE_AT_A_TIME, Map.of());
    }

    private static Verdict verdict(boolean afterBackup, State state, String message) {
        Verdict.Do asked = asked();
        Scene over = live().after(asked.changes()).says(0, OperatingMode.NORMAL).transfer(0, state, 0, 0, message);
        return step(afterBackup).next(over.view(), ONE_AT_A_TIME, asked.memory());
    }

    private static String line(boolean afterBackup, State state, String message) {
        return Verdicts.line(verdict(afterBackup, state, message));
    }

    @Test
    void a_failure_after_a_backup_is_a_reason_and_no_failure() {
        Verdict.Do remembered = (Verdict.Do) verdict(true, State.FAILED, READS);
        assertThat(Verdicts.line(step(true).next(live().view(), ONE_AT_A_TIME, remembered.memory())))
                .startsWith("done {}: the backup is complete, but the older ones stay: ")
                .endsWith("failed: " + READS);
        assertThat(CollectBackups.whyKept(Steps.pending(step(true)))).isEmpty();
    }

    @Test
    void a_failure_of_a_deletion_that_a_user_requested_ends_its_plan() {
        assertThat(line(false, State.FAILED, READS))
                .startsWith("given up TASK_FAILED: ")
                .contains(READS);
    }

    @Test
    void what_was_deleted_is_the_summary() {
        assertThat(line(true, State.DONE, "backups deleted: 2, left: 4")).contains("backups deleted: 2, left: 4");
    }

    private static Map<String, String> args(Verdict.Do act) {
        NodeRecord record = (NodeRecord) ((Change.Put) act.changes().get(0)).record();
        return Objects.requireNonNull(record.transfer()).args();
    }

    @Test
    void another_node_deletes_when_the_first_falls_silent() {
        Verdict.Do asked = asked();
        Scene after = live().after(asked.changes());
        Verdict.Do again = (Verdict.Do) step(true).next(after.silent(0).view(), ONE_AT_A_TIME, asked.memory());
        assertThat(again.memory()).containsEntry("node", "rides/dc1/node-1").containsEntry("again", "true");
        assertThat(args(asked)).doesNotContainKey("again");
        assertThat(args(again)).as("what the first has deleted is no mistake").containsEntry("again", "true");
    }
}
