package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.Notification;
import org.apache.cassandra.utils.progress.ProgressEventType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A repair that Cassandra reports as failed in part has repaired nothing that counts. */
class CassandraRepairTest {
    private static final int COMMAND = 7;

    @SuppressWarnings("EnumOrdinal") // Cassandra sends it
    private static Notification event(int command, ProgressEventType type, String message) {
        var event = new Notification("progress", "repair:" + command, 1, message);
        event.setUserData(Map.of("type", type.ordinal(), "progressCount", 1, "total", 1));
        return event;
    }

    private static void follow(Notification... events) throws Exception {
        CassandraRepair.follow(COMMAND, new LinkedBlockingQueue<>(List.of(events)));
    }

    @ParameterizedTest
    @EnumSource(
            value = ProgressEventType.class,
            names = {"ERROR", "ABORT"})
    void an_error_counts_although_the_command_completes(ProgressEventType error) {
        assertThatThrownBy(() -> follow(
                        event(COMMAND, ProgressEventType.START, "starts"),
                        event(COMMAND, error, "/127.0.0.2:7000 died"),
                        event(COMMAND, ProgressEventType.ERROR, "some repair failed"),
                        event(COMMAND, ProgressEventType.COMPLETE, "finished with error")))
                .isInstanceOf(CassandraRepair.FailedException.class)
                .hasMessage("/127.0.0.2:7000 died");
    }

    @Test
    void the_errors_of_another_command_do_not_count() {
        assertThatCode(() -> follow(
                        event(17, ProgressEventType.ERROR, "another repair failed"),
                        event(17, ProgressEventType.COMPLETE, "finished with error"),
                        event(COMMAND, ProgressEventType.SUCCESS, "completed successfully"),
                        event(COMMAND, ProgressEventType.COMPLETE, "finished")))
                .doesNotThrowAnyException();
    }

    @Test
    void a_stop_ends_all_sessions_of_the_node_once_when_the_command_has_some() {
        Set<Integer> withSessions = new TreeSet<>();
        AtomicInteger terminated = new AtomicInteger();
        var repair = new CassandraRepair(withSessions::contains, terminated::incrementAndGet);
        repair.stop();
        assertThat(terminated).as("no command runs").hasValue(0);
        repair.started(COMMAND);
        repair.stop();
        assertThat(terminated).as("nothing to end yet").hasValue(0);
        withSessions.add(COMMAND);
        for (int i = 0; i < 20; i++) {
            repair.stop();
        }
        assertThat(terminated).as("repairs of other nodes fail at each").hasValue(1);
    }

    @Test
    void an_error_without_a_text_names_the_command() {
        assertThatThrownBy(() -> follow(
                        event(COMMAND, ProgressEventType.ERROR, ""), event(COMMAND, ProgressEventType.COMPLETE, "")))
                .hasMessageContaining("repair command 7 failed");
    }
}
