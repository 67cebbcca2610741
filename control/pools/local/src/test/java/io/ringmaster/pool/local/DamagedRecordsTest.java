package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A record of the pool that is damaged is never a lost volume. */
class DamagedRecordsTest extends LocalPoolFixture {
    /** As an executor: its daemon runs in the volume. */
    private static final ExecutorProgram PROGRAM =
            (start, progress) -> List.of("sh", "-c", "(cd volume && exec setsid sleep 600) & exec sleep 601");

    private static void truncate(Path file, boolean half) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, half ? whole.length / 2 : 0));
    }

    private ProcessIdentity launchAndClose() throws IOException {
        open(PROGRAM);
        reserve();
        launch(RUNNING);
        StandInExecutor.awaitDaemon(folder());
        Waiting.until("the launch is recorded", this::isRecorded);
        ProcessIdentity executor = folder().executor().orElseThrow();
        pool.close();
        facts.clear();
        return executor;
    }

    private boolean isRecorded() {
        try {
            return Files.readString(folder().path().resolve("allocation.json.copy"))
                    .contains("\"launched\":1");
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isExited() {
        return facts.all(Fact.PoolSeen.class).stream()
                        .flatMap(seen -> seen.allocations().stream())
                        .anyMatch(state -> state.status() == EXITED)
                || facts.all(Fact.AllocationChanged.class).stream()
                        .anyMatch(changed -> changed.state().status() == EXITED);
    }

    private AllocationState reported() {
        List<AllocationState> all = facts.all(Fact.PoolSeen.class).get(0).allocations();
        assertThat(all).singleElement().satisfies(s -> assertThat(s.allocation())
                .isEqualTo(allocation));
        return all.get(0);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "allocation.json, half",
        "allocation.json, empty",
        "allocation.json.copy, half",
        "allocation.json.copy, empty",
        "executor.pid, half",
        "executor.pid, empty",
        "cgroups, half",
        "cgroups, empty"
    })
    void a_running_allocation_is_adopted_and_its_record_made_again(String name, String size) throws IOException {
        ProcessIdentity executor = launchAndClose();
        Path file = folder().path().resolve(name);
        byte[] whole = Files.readAllBytes(file);
        truncate(file, size.equals("half"));

        open(PROGRAM);

        assertThat(reported().status()).isEqualTo(RUNNING);
        assertThat(folder().executor()).contains(executor);
        if (!name.equals("cgroups")) {
            assertThat(file).hasBinaryContent(whole);
        }
        release();
    }

    @ParameterizedTest
    @ValueSource(strings = {"half", "empty"})
    void a_token_is_made_again_and_the_executor_with_the_former_one_ended(String size) throws IOException {
        ProcessIdentity executor = launchAndClose();
        Path file = folder().path().resolve("token");
        String former = Files.readString(file);
        truncate(file, size.equals("half"));

        open(PROGRAM);
        Waiting.until("its end is reported, at once or later", this::isExited);

        Waiting.until("the executor with the former token ends", () -> !executor.isAlive());
        assertThat(file).content().hasSameSizeAs(former).isNotEqualTo(former);
        facts.clear();
        launch(RUNNING);
        assertThat(pool.access(allocation.id()).orElseThrow().token()).isEqualTo(Files.readString(file));
        release();
    }

    @Test
    void a_token_that_is_damaged_while_the_server_runs_is_made_again_by_the_next_launch() throws IOException {
        open(PROGRAM);
        reserve();
        launch(RUNNING);
        String former = pool.access(allocation.id()).orElseThrow().token();
        Path file = folder().path().resolve("token");
        truncate(file, true);
        facts.clear();
        ProcessHandle.of(folder().executor().orElseThrow().pid()).orElseThrow().destroyForcibly();
        await(EXITED);
        facts.clear();

        launch(RUNNING);

        assertThat(pool.access(allocation.id()).orElseThrow().token())
                .isEqualTo(Files.readString(file))
                .isNotEqualTo(former);
        release();
    }

    @Test
    void an_allocation_without_a_sound_record_names_it_and_the_next_step() throws IOException {
        open(PROGRAM);
        reserve();
        pool.close();
        truncate(folder().path().resolve("allocation.json"), true);
        truncate(folder().path().resolve("allocation.json.copy"), true);

        assertThatThrownBy(() -> folder().state())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder().path().resolve("allocation.json") + " is damaged")
                .hasMessageContaining("put a backup of the file back")
                .hasMessageContaining("do not replace the node");
    }

    @Test
    void an_allocation_of_an_older_version_gets_its_copy() throws IOException {
        open(PROGRAM);
        reserve();
        pool.close();
        Path copy = folder().path().resolve("allocation.json.copy");
        Files.delete(copy);

        open(PROGRAM);

        assertThat(copy).hasSameBinaryContentAs(folder().path().resolve("allocation.json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"half", "empty"})
    void a_damaged_id_of_the_directory_is_named(String size) throws IOException {
        open();
        pool.close();
        Path id = state.resolve("directory-id");
        String whole = Files.readString(id);
        truncate(id, size.equals("half"));

        assertThatThrownBy(() -> open())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(id + " is damaged, it holds '" + Files.readString(id) + "'")
                .hasMessageContaining("write " + whole + " into it")
                .hasMessageContaining("pool.local.accept_directory: true");
        Files.writeString(id, whole);
        open();
    }

    @ParameterizedTest
    @ValueSource(strings = {"half", "empty"})
    void a_damaged_id_is_replaced_where_it_is_accepted(String size) throws IOException {
        open();
        pool.close();
        truncate(state.resolve("directory-id"), size.equals("half"));
        open(state, PROGRAM, true);
        pool.close();

        assertThat(new String(records.get("directory-id").orElseThrow(), StandardCharsets.UTF_8).lines())
                .hasSize(2)
                .allSatisfy(known -> assertThat(known).hasSize(36));
        open();
    }

    @Test
    void an_empty_epoch_is_named() throws IOException {
        open();
        reserve();
        pool.close();
        truncate(state.resolve("epoch"), false);

        assertThatThrownBy(() -> open())
                .hasMessageContaining(state.resolve("epoch") + " holds no number; delete it if no other server");
    }
}
