package io.ringmaster.executor.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NoAnswerException;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskSecrets;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.TaskStatus.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a companion that only records its requests. */
@Timeout(30)
class TaskKeeperTest {
    private static final NodeTask COMPACT = new NodeTask("compact-node-0-7", NodeTask.Kind.COMPACT, Map.of());

    @TempDir
    private Path directory;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private String answer = "HTTP/1.1 200 OK\r\n\r\n{}";
    private NodeFiles files;
    private ServerSocketChannel channel;
    private TaskKeeper keeper;

    @BeforeEach
    void listen() throws IOException {
        files = new NodeFiles(directory);
        Files.createDirectories(files.volume());
        channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(files.socket()));
        Thread thread = new Thread(this::serve, "companion");
        thread.setDaemon(true);
        thread.start();
        keeper = new TaskKeeper(files, new CompanionClient(files.socket()));
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
    }

    @Test
    void a_task_starts_once_the_node_is_normal_and_is_followed_to_its_end() throws IOException {
        assertThat(keeper.advance(COMPACT, node("JOINING", null), 1)).isTrue();
        assertThat(requests).isEmpty();
        keeper.advance(COMPACT, node("NORMAL", null), 1);
        assertThat(requests)
                .singleElement()
                .asString()
                .startsWith("POST /task ")
                .contains(COMPACT.id());
        assertThat(keeper.advance(COMPACT, node("NORMAL", status(COMPACT.id(), State.RUNNING)), 1))
                .isTrue();
        assertThat(keeper.status(COMPACT).state()).isEqualTo(State.RUNNING);
        assertThat(keeper.advance(COMPACT, node("NORMAL", status(COMPACT.id(), State.DONE)), 1))
                .isFalse();
        assertThat(keeper.status(COMPACT).state()).isEqualTo(State.DONE);
        assertThat(requests).hasSize(1);
    }

    @Test
    void a_new_executor_adopts_the_running_task() throws IOException {
        keeper.advance(COMPACT, node("NORMAL", status(COMPACT.id(), State.RUNNING)), 1);
        assertThat(requests).isEmpty();
        assertThat(keeper.status(COMPACT).state()).isEqualTo(State.RUNNING);
    }

    @Test
    void an_unfinished_task_of_a_dead_daemon_is_started_again_and_a_finished_one_is_not() throws IOException {
        keeper.advance(COMPACT, node("NORMAL", status(COMPACT.id(), State.RUNNING)), 1);
        keeper.advance(COMPACT, node("NORMAL", null), 2);
        assertThat(requests).hasSize(1);
        keeper.advance(COMPACT, node("NORMAL", status(COMPACT.id(), State.DONE)), 2);
        TaskKeeper successor = new TaskKeeper(files, new CompanionClient(files.socket()));
        assertThat(successor.advance(COMPACT, node("NORMAL", null), 3)).isFalse();
        assertThat(successor.status(COMPACT).state()).isEqualTo(State.DONE);
        assertThat(requests).hasSize(1);
    }

    @Test
    void a_task_that_is_no_longer_in_the_target_is_aborted() throws IOException {
        keeper.advance(null, node("NORMAL", status(COMPACT.id(), State.RUNNING)), 1);
        assertThat(requests)
                .singleElement()
                .asString()
                .startsWith("POST /task/abort ")
                .contains(COMPACT.id());
        assertThat(keeper.status(null)).isNull();
    }

    @Test
    void a_task_that_is_no_longer_in_the_target_is_reported_until_it_has_ended() throws IOException {
        keeper.advance(COMPACT, node("NORMAL", status("older", State.RUNNING)), 1);
        assertThat(keeper.reported(COMPACT).id()).isEqualTo("older");
        keeper.advance(COMPACT, node("NORMAL", status("older", State.ABORTED)), 1);
        assertThat(keeper.reported(COMPACT)).isNull();
        keeper.advance(COMPACT, node("NORMAL", status(COMPACT.id(), State.RUNNING)), 1);
        assertThat(keeper.reported(COMPACT).id()).isEqualTo(COMPACT.id());

        keeper.advance(null, node("NORMAL", status(COMPACT.id(), State.RUNNING)), 1);
        assertThat(keeper.reported(null).state()).isEqualTo(State.RUNNING);
        keeper.daemonChanged();
        assertThat(keeper.reported(null)).as("its daemon ended").isNull();
    }

    @Test
    void another_task_waits_until_the_old_one_has_ended() throws IOException {
        keeper.advance(COMPACT, node("NORMAL", status("older", State.RUNNING)), 1);
        assertThat(requests)
                .singleElement()
                .asString()
                .startsWith("POST /task/abort ")
                .contains("older");
        keeper.advance(COMPACT, node("NORMAL", status("older", State.ABORTED)), 1);
        assertThat(requests).hasSize(2);
        assertThat(requests.get(1)).startsWith("POST /task ").contains(COMPACT.id());
    }

    @Test
    void a_task_that_the_companion_refuses_has_failed_with_its_message() throws IOException {
        answer = "HTTP/1.1 400 Refused\r\n\r\n{\"error\":\"from is missing\"}";
        keeper.advance(COMPACT, node("NORMAL", null), 1);
        assertThat(keeper.status(COMPACT).state()).isEqualTo(State.FAILED);
        assertThat(keeper.status(COMPACT).message()).isEqualTo("from is missing");
    }

    @Test
    void a_task_that_the_companion_cannot_make_has_failed_with_its_message_too() throws IOException {
        answer = "HTTP/1.1 500 Error\r\n\r\n{\"error\":\"DateTimeParseException: Text 'soon' could not be parsed\"}";
        keeper.advance(COMPACT, node("NORMAL", null), 1);
        assertThat(keeper.status(COMPACT).state()).isEqualTo(State.FAILED);
        assertThat(keeper.status(COMPACT).message())
                .isEqualTo("DateTimeParseException: Text 'soon' could not be parsed");
        keeper.advance(COMPACT, node("NORMAL", null), 1);
        assertThat(requests).as("it is not asked again").hasSize(1);
    }

    @Test
    void a_busy_companion_is_asked_again_and_the_task_says_what_it_waits_for() throws IOException {
        answer = "HTTP/1.1 409 Refused\r\n\r\n{\"error\":\"repair r-7 runs: abort it first\"}";
        keeper.advance(COMPACT, node("NORMAL", null), 1);
        TaskStatus waits = keeper.status(COMPACT);
        assertThat(waits.state()).isEqualTo(State.RUNNING);
        assertThat(waits.message()).isEqualTo("waits for its start: repair r-7 runs: abort it first");
        keeper.advance(COMPACT, node("NORMAL", null), 1);
        assertThat(requests).hasSize(2);
        assertThat(keeper.status(COMPACT)).as("no news for the servers").isEqualTo(waits);
        answer = "HTTP/1.1 200 OK\r\n\r\n{}";
        keeper.advance(COMPACT, node("NORMAL", null), 1);
        keeper.advance(COMPACT, node("NORMAL", status(COMPACT.id(), State.DONE)), 1);
        assertThat(keeper.status(COMPACT).state()).isEqualTo(State.DONE);
        assertThat(requests).hasSize(3);
    }

    @Test
    void a_companion_that_ends_the_connection_is_no_reason_to_fail_the_task() {
        answer = "";
        assertThatThrownBy(() -> keeper.advance(COMPACT, node("NORMAL", null), 1))
                .isInstanceOf(NoAnswerException.class);
        assertThat(keeper.status(COMPACT)).isNull();
    }

    @Test
    void a_task_with_secrets_waits_for_them_and_keeps_them_off_the_disk() throws IOException {
        NodeTask access = new NodeTask(
                "access-node-0-8", NodeTask.Kind.ACCESS, Map.of("role.app", "login", "password.app", "file:app"));
        TaskSecrets ofAnother = new TaskSecrets("access-node-0-7", Map.of("hash.app", "$2a$old"), null);
        keeper.advance(access, null, node("NORMAL", null), 1);
        keeper.advance(access, ofAnother, node("NORMAL", null), 1);
        assertThat(requests).isEmpty();
        keeper.advance(
                access, new TaskSecrets(access.id(), Map.of("hash.app", "$2a$10$x"), null), node("NORMAL", null), 1);
        assertThat(requests).singleElement().asString().contains("$2a$10$x");
        keeper.advance(access, node("NORMAL", status(access.id(), State.DONE)), 1);
        assertThat(Files.readString(files.task())).doesNotContain("$2a$");
    }

    @Test
    void a_task_whose_password_is_missing_at_the_server_has_failed_with_the_reason() throws IOException {
        NodeTask access = new NodeTask("access-node-0-8", NodeTask.Kind.ACCESS, Map.of("password.app", "file:app"));
        TaskSecrets missing = new TaskSecrets(access.id(), Map.of(), "there is no file app");
        keeper.advance(access, missing, node("NORMAL", null), 1);
        assertThat(requests).isEmpty();
        assertThat(keeper.status(access).state()).isEqualTo(State.FAILED);
        assertThat(keeper.status(access).message()).isEqualTo("there is no file app");
    }

    @Test
    void only_a_finished_repair_or_rebuild_of_all_tables_gives_a_node_the_rows_that_it_lacked() throws IOException {
        assertThat(hasStreamedRows(NodeTask.Kind.REPAIR, State.DONE, Map.of("unless_after", "now")))
                .isTrue();
        assertThat(hasStreamedRows(NodeTask.Kind.REBUILD, State.DONE, Map.of("from", "dc2")))
                .isTrue();
        assertThat(hasStreamedRows(NodeTask.Kind.REPAIR, State.FAILED, Map.of()))
                .isFalse();
        assertThat(hasStreamedRows(NodeTask.Kind.REPAIR, State.RUNNING, Map.of()))
                .isFalse();
        assertThat(hasStreamedRows(NodeTask.Kind.REPAIR, State.DONE, Map.of("keyspaces", "rides")))
                .isFalse();
        assertThat(hasStreamedRows(NodeTask.Kind.COMPACT, State.DONE, Map.of())).isFalse();
    }

    private boolean hasStreamedRows(NodeTask.Kind kind, State state, Map<String, String> args) throws IOException {
        NodeTask task = new NodeTask(kind + "-" + state + args, kind, args);
        keeper.advance(task, node("NORMAL", status(task.id(), state)), 1);
        return keeper.hasStreamedRows(task);
    }

    private static NodeAnswer node(String mode, TaskStatus task) {
        return new NodeAnswer(1, mode, "", true, false, null, null, task);
    }

    private static TaskStatus status(String id, State state) {
        return new TaskStatus(
                id,
                NodeTask.Kind.COMPACT,
                state,
                1,
                2,
                "bytes",
                "works",
                Instant.EPOCH,
                state.isOver() ? Instant.EPOCH : null);
    }

    private void serve() {
        while (channel.isOpen()) {
            try (SocketChannel connection = channel.accept()) {
                ByteBuffer in = ByteBuffer.allocate(16 * 1024);
                connection.read(in);
                requests.add(new String(in.array(), 0, in.position(), StandardCharsets.UTF_8));
                connection.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
            } catch (IOException e) {
                if (channel.isOpen()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
