package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.host.SmallFileSystem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a full disk, the local pool refuses the commands that take room and carries out those that free it. */
class LocalPoolFullDiskTest extends LocalPoolFixture {
    @TempDir
    Path directory;

    private @Nullable SmallFileSystem disk;

    private void mount(int mebibytes) throws IOException {
        disk = SmallFileSystem.at(Files.createDirectories(directory.resolve("small")), mebibytes);
    }

    private SmallFileSystem disk() {
        return Objects.requireNonNull(disk, "mount it first");
    }

    private Path onMount() {
        return disk().folder().resolve("state");
    }

    @AfterEach
    void unmount() throws IOException {
        if (disk != null) {
            close();
            disk.close();
        }
    }

    @Test
    void a_full_disk_fails_the_reservation_and_leaves_nothing() throws Exception {
        mount(1);
        open(onMount());
        pool.reserve(new Command.Reserve(allocation), 1);
        Problem full = await(FAILED).problem();
        assertThat(full.code()).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(full.line()).contains("no space left in").contains("make room");
        assertThat(onMount().resolve("allocations")).isEmptyDirectory();
        close();
        disk().unmount();
        disk = null;
    }

    @Test
    void on_a_full_disk_a_new_leader_can_end_processes_but_start_none() throws Exception {
        mount(64);
        open(onMount());
        reserve();
        launch(RUNNING);
        disk().fill("filler");
        facts.clear();
        pool.launch(new Command.Launch(allocation, "5.0.9", 2), 2);
        Problem full = await(FAILED).problem();
        assertThat(full.code()).isEqualTo(ErrorCode.DISK_FULL);
        pool.kill(new Command.Kill(allocation.id()), 2);
        await(RESERVED);
        disk().fill("more");
        facts.clear();
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
        pool.launch(new Command.Launch(allocation, "5.0.9", 2), 2);
        await(FAILED);
        assertThat(facts.all(Fact.AllocationChanged.class))
                .as("the former leader is refused though the epoch is not on disk")
                .hasSize(1);
        Files.delete(disk().folder().resolve("filler"));
        pool.reserve(new Command.Reserve(allocation), 2);
        release(2);
        assertThat(onMount().resolve("epoch")).hasContent("2");
    }

    @Test
    void on_a_full_disk_a_relaunch_leaves_the_node_running_and_a_reservation_takes_no_room() throws Exception {
        mount(64);
        open(onMount());
        reserve();
        launch(RUNNING);
        ProcessIdentity before = folder(onMount()).executor().orElseThrow();
        disk().fill("filler");
        facts.clear();
        pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 2), 1);
        assertThat(await(FAILED).problem().code()).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(before.isAlive()).isTrue();
        facts.clear();
        pool.reserve(new Command.Reserve(allocation.withResources(MOST)), 1);
        assertThat(await(FAILED).problem().code()).isEqualTo(ErrorCode.DISK_FULL);
        Files.delete(disk().folder().resolve("filler"));
        assertThatAnotherFits();
        pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 2), 1);
        await(RUNNING);
        assertThat(before.isAlive()).isFalse();
        release();
    }
}
