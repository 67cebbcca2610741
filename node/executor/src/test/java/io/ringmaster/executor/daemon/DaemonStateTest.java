package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonStateTest {
    private static final Instant FIRST = Instant.parse("2026-01-02T03:04:05Z");
    private static final Instant LATER = FIRST.plusSeconds(256);

    @TempDir
    Path directory;

    @Test
    void the_first_start_of_a_daemon_is_part_of_the_launch_of_the_node() {
        var launched = DaemonState.none().withStages(Map.of(Stage.EXECUTOR, FIRST));
        assertThat(launched.started(1, 0, "print", Map.of(), FIRST.plusSeconds(1))
                        .stages())
                .isEqualTo(Map.of(Stage.EXECUTOR, FIRST));
    }

    @Test
    void a_later_start_is_timed_as_a_launch_of_its_own() {
        var joined = DaemonState.none()
                .started(1, 0, "print", Map.of(), FIRST)
                .joinedAt(Map.of(Stage.EXECUTOR, FIRST, Stage.DAEMON, FIRST, Stage.JOINED, FIRST));
        var again = joined.started(1, 0, "print", Map.of(), LATER);
        assertThat(again.stages()).isEqualTo(Map.of(Stage.LAUNCH, LATER));
        assertThat(again.joined()).isTrue();
    }

    @Test
    void what_is_known_of_the_first_join_outlives_the_daemon() {
        var started = DaemonState.none().started(1, 0, "print", Map.of(), FIRST);
        for (FirstJoin known : FirstJoin.values()) {
            var crashed = started.withFirstJoin(known).withExits(1);
            assertThat(crashed.started(1, 0, "print", Map.of(), LATER).firstJoin())
                    .isEqualTo(known);
        }
    }

    @Test
    void a_file_of_an_older_version_knows_nothing_of_the_first_join() throws IOException {
        String older = "{\"specVersion\":1,\"restarts\":0,\"fingerprint\":\"\",\"joined\":true,\"exits\":0,"
                + "\"stages\":{}}";
        assertThat(Json.mapper().readValue(older, DaemonState.class))
                .isEqualTo(new DaemonState(1, 0, "", true, 0, Map.of(), FirstJoin.NONE, null, null, null));
    }

    @Test
    void stages_and_joins_of_a_later_version_are_left_out() throws IOException {
        NodeFiles files = new NodeFiles(directory);
        files.create();
        Files.writeString(
                files.daemonState(),
                "{\"specVersion\":3,\"restarts\":1,\"fingerprint\":\"print\",\"joined\":true,\"exits\":0,\"stages\":{"
                        + "\"LAUNCH\":\"2026-01-02T03:04:05Z\",\"VERIFIED\":\"2026-01-02T03:04:05Z\"},"
                        + "\"firstJoin\":\"VERIFIED\"}");
        assertThat(DaemonState.read(files))
                .contains(new DaemonState(
                        3, 1, "print", true, 0, Map.of(Stage.LAUNCH, FIRST), FirstJoin.NONE, null, null, null));
    }

    @Test
    void a_damaged_record_is_made_again_from_its_copy() throws IOException {
        NodeFiles files = new NodeFiles(directory);
        files.create();
        Files.createDirectories(files.directory("data").resolve("system"));
        var written = DaemonState.none()
                .started(7, 3, "print", Map.of(), FIRST)
                .withFirstJoin(FirstJoin.UNSTREAMED)
                .joinedAt(Map.of());
        written.write(files);
        for (String damage : Arrays.asList(null, "", "{\"specVersion\":7,\"rest")) {
            Files.delete(files.daemonState());
            if (damage != null) {
                Files.writeString(files.daemonState(), damage);
            }
            DaemonStateFile file = new DaemonStateFile(files, Map.of());
            assertThat(file.current()).as(damage).isEqualTo(written);
            assertThat(file.isLost()).as(damage).isFalse();
            file.save();
            assertThat(DaemonState.read(files)).as(damage).contains(written);
        }
    }

    @Test
    void a_copy_that_an_earlier_release_left_behind_is_written_again() throws IOException {
        NodeFiles files = new NodeFiles(directory);
        files.create();
        DaemonState.none().write(files);
        var now = DaemonState.none().started(7, 3, "print", Map.of(), FIRST);
        Files.writeString(files.daemonState(), Json.text(now));
        assertThat(new DaemonStateFile(files, Map.of()).current()).isEqualTo(now);
        Files.delete(files.daemonState());
        assertThat(new DaemonStateFile(files, Map.of()).current()).isEqualTo(now);
    }

    @Test
    void a_failed_write_is_made_up_for() throws IOException {
        NodeFiles files = new NodeFiles(directory);
        files.create();
        DaemonStateFile file = new DaemonStateFile(files, Map.of());
        Path obstacle = Files.createDirectories(files.daemonState().resolve("obstacle"));
        file.change(file.current().withFirstJoin(FirstJoin.UNSTREAMED));
        assertThatThrownBy(file::save).isInstanceOf(IOException.class);
        assertThat(file.current().firstJoin()).isEqualTo(FirstJoin.UNSTREAMED);
        Files.delete(obstacle);
        Files.delete(files.daemonState());
        file.save();
        assertThat(DaemonState.read(files)).contains(file.current());
    }

    @Test
    void live_changes_belong_to_the_state_until_the_next_daemon_starts() {
        var started = DaemonState.none().started(1, 0, "one", Map.of("max_hint_window", "1h"), FIRST);
        var changing = started.changing(Set.of("request_timeout"));
        assertThat(changing.live().unsure()).containsExactly("request_timeout");
        assertThat(changing.fingerprint()).isEqualTo("one");
        var changed = changing.changed("two", Map.of("request_timeout", "4s"), Map.of("request_timeout", "4000ms"));
        assertThat(changed.fingerprint()).isEqualTo("two");
        assertThat(changed.live())
                .isEqualTo(new LiveSettings(
                        Map.of("request_timeout", "4s"), List.of(), Map.of("request_timeout", "4000ms")));
        assertThat(changed.started(2, 0, "two", Map.of(), LATER).live().reported())
                .isEmpty();
    }

    @Test
    void a_copy_that_cannot_be_read_or_written_keeps_no_executor_from_its_node() throws IOException {
        NodeFiles files = new NodeFiles(directory);
        files.create();
        DaemonState.none().hasJoined().write(files);
        Files.delete(files.daemonStateCopy());
        Files.createDirectories(files.daemonStateCopy().resolve("in the way"));
        DaemonStateFile file = new DaemonStateFile(files, Map.of());
        assertThat(file.current().joined()).isTrue();
        file.write(file.current().withExits(7));
        assertThat(DaemonState.read(files).orElseThrow().exits()).isEqualTo(7);
    }
}
