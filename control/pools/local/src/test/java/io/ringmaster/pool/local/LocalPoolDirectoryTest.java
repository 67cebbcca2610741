package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.RecordingFactSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What the local pool keeps in its state directory: its id, the last epoch and the allocations. */
@Timeout(120)
class LocalPoolDirectoryTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Nothing else has room on the machine. */
    private static final NodeResources MOST = new NodeResources(3_900, 1L << 29, 1L << 28, 1L << 30);

    @TempDir
    Path directory;

    private final RecordingFactSink facts = new RecordingFactSink();
    private final FakePoolRecords records = new FakePoolRecords();
    private final Allocation allocation = LocalPoolTest.allocationOn(LocalPoolTest.machine(1), 0);
    private LocalPool pool;

    private void open(Path state, ExecutorProgram program, boolean accept) {
        pool = new LocalPool(
                new LocalPoolSettings(state, List.of(LocalPoolTest.machine(1)), program, Addresses.MACHINE, accept));
        pool.start(facts, records);
    }

    private void open(Path state) {
        open(state, StandInExecutor.WITH_DAEMON, false);
    }

    private AllocationState await(AllocationState.Status status) {
        return facts.awaitStatus(allocation.id(), status, LIMIT);
    }

    private void release(long epoch) {
        pool.release(new Command.Release(allocation.id(), true), epoch);
        facts.await(Fact.AllocationGone.class, f -> true, LIMIT);
    }

    @AfterEach
    void close() {
        if (pool != null) {
            pool.close();
        }
    }

    @Test
    void another_directory_than_that_of_the_nodes_is_refused_unless_it_is_accepted() throws IOException {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        open(first);
        pool.close();
        assertThatThrownBy(() -> open(second))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(second.toString())
                .hasMessageContaining("its id is missing")
                .hasMessageContaining(Files.readString(first.resolve("directory-id")))
                .hasMessageContaining("pool.local.accept_directory: true");
        open(first);
        pool.close();
        open(second, StandInExecutor.WITH_DAEMON, true);
        pool.close();
        open(second);
        pool.close();
        assertThatThrownBy(() -> open(first))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("its id is " + Files.readString(first.resolve("directory-id")))
                .hasMessageContaining(Files.readString(second.resolve("directory-id")));
    }

    @Test
    void a_directory_that_is_only_accepted_is_in_the_log_with_both_ids() throws IOException {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        open(first, StandInExecutor.WITH_DAEMON, true);
        pool.close();
        Files.createDirectories(second);
        Files.writeString(second.resolve("directory-id"), "second-id");
        Logger logger = (Logger) LoggerFactory.getLogger(DirectoryId.class);
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        logger.addAppender(log);
        try {
            open(first, StandInExecutor.WITH_DAEMON, true);
            pool.close();
            assertThat(log.list).isEmpty();
            open(second, StandInExecutor.WITH_DAEMON, true);
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage())
                    .contains("accept_directory", "second-id", Files.readString(first.resolve("directory-id")));
        });
    }

    @Test
    void an_old_copy_is_refused_once_it_has_missed_two_opens() throws IOException {
        Path state = directory.resolve("state");
        open(state);
        pool.close();
        Path id = state.resolve("directory-id");
        String old = Files.readString(id);
        open(state);
        pool.close();
        assertThat(id).content().isNotEqualTo(old);
        open(state);
        pool.close();
        Files.writeString(id, old);
        assertThatThrownBy(() -> open(state))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("an old copy")
                .hasMessageContaining(old);
    }

    @Test
    void a_directory_is_known_though_its_next_id_was_not_written() throws IOException {
        open(directory);
        pool.close();
        Path id = directory.resolve("directory-id");
        String before = Files.readString(id);
        open(directory);
        pool.close();
        Files.writeString(id, before);
        open(directory);
    }

    @Test
    void the_single_id_of_a_former_version_is_known() throws IOException {
        Files.writeString(directory.resolve("directory-id"), "former");
        records.put("directory-id", "former".getBytes(StandardCharsets.UTF_8));
        open(directory);
    }

    /** A crash after the put would leave the epochs of the former store, and no later open would forget them. */
    @Test
    void the_epochs_of_another_store_are_forgotten_before_the_store_knows_the_directory() throws IOException {
        Files.writeString(directory.resolve("epoch"), "50");
        pool = new LocalPool(LocalPoolTest.settings(directory, StandInExecutor.WITH_DAEMON));
        PoolRecords down = new PoolRecords() {
            @Override
            public Optional<byte[]> get(String key) {
                return Optional.empty();
            }

            @Override
            public void put(String key, byte[] value) {
                throw new IllegalStateException("killed here");
            }

            @Override
            public void remove(String key) {}
        };
        assertThatThrownBy(() -> pool.start(facts, down)).hasMessage("killed here");
        assertThat(directory.resolve("epoch")).doesNotExist();
    }

    @Test
    void a_store_that_was_set_back_makes_the_pool_unavailable_until_the_epoch_is_deleted() throws IOException {
        open(directory);
        pool.reserve(new Command.Reserve(allocation), 50);
        await(RESERVED);
        pool.close();
        facts.clear();
        open(directory);
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 3);
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 3);
        assertThat(facts.all(Fact.PoolUnavailable.class)).singleElement().satisfies(f -> assertThat(f.reason())
                .contains("the store was set back"));
        Files.delete(directory.resolve("epoch"));
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 3);
        await(RUNNING);
        release(3);
    }

    @Test
    void a_new_store_counts_its_epochs_from_the_start() {
        open(directory);
        pool.reserve(new Command.Reserve(allocation), 50);
        await(RESERVED);
        assertThat(directory.resolve("epoch")).hasContent("50");
        pool.close();
        facts.clear();
        records.remove("directory-id");
        open(directory);
        pool.reserve(new Command.Reserve(allocation), 1);
        await(RESERVED);
        assertThat(directory.resolve("epoch")).hasContent("1");
    }

    @Test
    void a_pool_that_cannot_open_leaves_its_directory_to_the_next() throws IOException {
        Files.writeString(directory.resolve("epoch"), "many");
        assertThatThrownBy(() -> open(directory))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("epoch holds no number; delete it");
        Files.delete(directory.resolve("epoch"));
        open(directory);
    }

    @Test
    void an_allocation_of_an_older_version_is_read_though_it_holds_an_address() throws IOException {
        open(directory);
        pool.reserve(new Command.Reserve(allocation), 1);
        await(RESERVED);
        pool.close();
        Path file = directory.resolve("allocations/" + allocation.id() + "/allocation.json");
        String text = Files.readString(file)
                .replaceFirst("\"machine\":", "\"address\":\"127.1.9.77\",\"machine\":")
                .replaceFirst(",\"launching\":0,\"launched\":0", "");
        assertThat(text).contains("127.1.9.77").doesNotContain("launch");
        Files.writeString(file, text);
        facts.clear();
        open(directory);
        assertThat(facts.all(Fact.PoolSeen.class).get(0).allocations())
                .singleElement()
                .satisfies(s -> {
                    assertThat(s.allocation()).isEqualTo(allocation);
                    assertThat(s.address())
                            .as("where its executor runs, whatever address the machine has now")
                            .isEqualTo("127.1.9.77");
                });
        assertThat(pool.access(allocation.id()).orElseThrow().baseUrl().getHost())
                .isEqualTo("127.1.9.77");
        pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 1), 1);
        assertThat(await(RUNNING).address()).isEqualTo("127.1.9.1");
        release(1);
    }

    @Test
    void a_launch_that_was_not_carried_out_is_not_done_after_a_restart() throws Exception {
        open(directory);
        pool.reserve(new Command.Reserve(allocation), 1);
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
        await(RUNNING);
        ProcessIdentity first = folder(directory).executor().orElseThrow();
        ProcessHandle.of(first.pid()).orElseThrow().destroyForcibly();
        await(EXITED);
        Path cgroups = folder(directory).path().resolve("cgroups");
        Files.delete(cgroups);
        Path inTheWay = Files.createDirectories(cgroups.resolve("in-the-way"));
        pool.launch(new Command.Launch(allocation, "5.0.9", 2), 1);
        await(FAILED);
        pool.close();
        Files.delete(inTheWay);
        Files.delete(cgroups);
        facts.clear();
        open(directory);
        pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 2), 1);
        await(RUNNING);
        release(1);
    }

    @Test
    void a_reservation_of_another_node_takes_no_room() {
        open(directory);
        pool.reserve(new Command.Reserve(allocation), 1);
        await(RESERVED);
        Allocation others = new Allocation(
                allocation.id(),
                LocalPoolTest.allocationOn(LocalPoolTest.machine(1), 5).node(),
                allocation.machine(),
                allocation.ports(),
                MOST);
        pool.reserve(new Command.Reserve(others), 1);
        assertThat(await(FAILED).problem().message()).contains("belongs to " + allocation.node());
        assertThatAnotherFits(1);
    }

    private void assertThatAnotherFits(int index) {
        Allocation another = LocalPoolTest.allocationOn(LocalPoolTest.machine(1), index);
        pool.reserve(new Command.Reserve(another), 1);
        facts.awaitStatus(another.id(), RESERVED, LIMIT);
    }

    @Test
    void an_allocation_that_is_gone_takes_no_memory() {
        open(directory);
        pool.reserve(new Command.Reserve(allocation), 1);
        await(RESERVED);
        assertThat(pool.known()).isEqualTo(1);
        release(1);
        while (pool.known() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_task_that_throws_is_a_failure_and_the_next_one_runs() {
        boolean[] bad = {true};
        open(
                directory,
                (start, progress) -> {
                    if (bad[0]) {
                        throw new StackOverflowError("thrown on purpose");
                    }
                    return List.of("sleep", "600");
                },
                false);
        pool.reserve(new Command.Reserve(allocation), 1);
        await(RESERVED);
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
        assertThat(await(FAILED).problem().message()).contains("thrown on purpose");
        bad[0] = false;
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
        await(RUNNING);
        release(1);
    }

    @Test
    void on_a_full_disk_a_new_leader_can_end_processes_but_start_none() throws Exception {
        Path mount = Files.createDirectories(directory.resolve("small"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", mount.toString()) == 0,
                "skipped: this user may not mount a small file system");
        try {
            open(mount.resolve("state"));
            pool.reserve(new Command.Reserve(allocation), 1);
            pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
            await(RUNNING);
            fill(mount.resolve("filler"));
            facts.clear();
            pool.launch(new Command.Launch(allocation, "5.0.9", 2), 2);
            Problem full = await(FAILED).problem();
            assertThat(full.code()).isEqualTo(ErrorCode.DISK_FULL);
            pool.kill(new Command.Kill(allocation.id()), 2);
            await(RESERVED);
            fill(mount.resolve("more"));
            facts.clear();
            pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
            pool.launch(new Command.Launch(allocation, "5.0.9", 2), 2);
            await(FAILED);
            assertThat(facts.all(Fact.AllocationChanged.class))
                    .as("the former leader is refused though the epoch is not on disk")
                    .hasSize(1);
            Files.delete(mount.resolve("filler"));
            pool.reserve(new Command.Reserve(allocation), 2);
            release(2);
            assertThat(mount.resolve("state/epoch")).hasContent("2");
        } finally {
            pool.close();
            run("umount", "-l", mount.toString());
        }
    }

    @Test
    void on_a_full_disk_a_relaunch_leaves_the_node_running_and_a_reservation_takes_no_room() throws Exception {
        Path mount = Files.createDirectories(directory.resolve("small"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", mount.toString()) == 0,
                "skipped: this user may not mount a small file system");
        try {
            open(mount.resolve("state"));
            pool.reserve(new Command.Reserve(allocation), 1);
            pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
            await(RUNNING);
            ProcessIdentity before = folder(mount.resolve("state")).executor().orElseThrow();
            fill(mount.resolve("filler"));
            facts.clear();
            pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 2), 1);
            assertThat(await(FAILED).problem().code()).isEqualTo(ErrorCode.DISK_FULL);
            assertThat(before.isAlive()).isTrue();
            facts.clear();
            pool.reserve(new Command.Reserve(allocation.withResources(MOST)), 1);
            assertThat(await(FAILED).problem().code()).isEqualTo(ErrorCode.DISK_FULL);
            Files.delete(mount.resolve("filler"));
            assertThatAnotherFits(1);
            pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 2), 1);
            await(RUNNING);
            assertThat(before.isAlive()).isFalse();
            release(1);
        } finally {
            pool.close();
            run("umount", "-l", mount.toString());
        }
    }

    private AllocationFolder folder(Path state) {
        return new AllocationFolder(
                state.resolve("allocations").resolve(allocation.id().value()));
    }

    private static void fill(Path file) {
        try (var out = Files.newOutputStream(file)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            // full
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
