package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a full disk, the local pool refuses the commands that take room and carries out those that free it. */
class LocalPoolFullDiskTest extends LocalPoolFixture {
    @TempDir
    Path directory;

    private Path mount;

    /** A small file system, which the test can fill. */
    private void mount(String size) throws IOException, InterruptedException {
        Path place = Files.createDirectories(directory.resolve("small"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", place.toString()) == 0,
                "skipped: this user may not mount a small file system");
        mount = place;
    }

    private Path onMount() {
        return mount.resolve("state");
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (mount != null) {
            close();
            run("umount", "-l", mount.toString());
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

    private static void fill(Path file) {
        try (var out = Files.newOutputStream(file)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            // full
        }
    }

    @Test
    void a_full_disk_fails_the_reservation_and_leaves_nothing() throws Exception {
        mount("1m");
        open(onMount());
        pool.reserve(new Command.Reserve(allocation), 1);
        Problem full = await(FAILED).problem();
        assertThat(full.code()).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(full.line()).contains("no space left in").contains("make room");
        assertThat(onMount().resolve("allocations")).isEmptyDirectory();
        close();
        assertThat(run("umount", mount.toString())).isZero();
        mount = null;
    }

    @Test
    void on_a_full_disk_a_new_leader_can_end_processes_but_start_none() throws Exception {
        mount("64m");
        open(onMount());
        reserve();
        launch(RUNNING);
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
        assertThat(onMount().resolve("epoch")).hasContent("2");
    }

    @Test
    void on_a_full_disk_a_relaunch_leaves_the_node_running_and_a_reservation_takes_no_room() throws Exception {
        mount("64m");
        open(onMount());
        reserve();
        launch(RUNNING);
        ProcessIdentity before = folder(onMount()).executor().orElseThrow();
        fill(mount.resolve("filler"));
        facts.clear();
        pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 2), 1);
        assertThat(await(FAILED).problem().code()).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(before.isAlive()).isTrue();
        facts.clear();
        pool.reserve(new Command.Reserve(allocation.withResources(MOST)), 1);
        assertThat(await(FAILED).problem().code()).isEqualTo(ErrorCode.DISK_FULL);
        Files.delete(mount.resolve("filler"));
        assertThatAnotherFits();
        pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 2), 1);
        await(RUNNING);
        assertThat(before.isAlive()).isFalse();
        release();
    }
}
