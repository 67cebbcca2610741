package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A command of the local pool that fails or ends holds nothing, and the next one runs. */
class LocalPoolFailureTest extends LocalPoolFixture {
    @Test
    void a_launch_that_was_not_carried_out_is_not_done_after_a_restart() throws Exception {
        open();
        pool.reserve(new Command.Reserve(allocation), 1);
        launch(RUNNING);
        ProcessIdentity first = folder().executor().orElseThrow();
        ProcessHandle.of(first.pid()).orElseThrow().destroyForcibly();
        await(EXITED);
        Path cgroups = folder().path().resolve("cgroups");
        Files.delete(cgroups);
        Path inTheWay = Files.createDirectories(cgroups.resolve("in-the-way"));
        pool.launch(new Command.Launch(allocation, "5.0.9", 2), 1);
        await(FAILED);
        pool.close();
        Files.delete(inTheWay);
        Files.delete(cgroups);
        facts.clear();
        open();
        pool.relaunch(new Command.Relaunch(allocation, "5.0.9", 2), 1);
        await(RUNNING);
        release();
    }

    @Test
    void a_reservation_of_another_node_takes_no_room() {
        open();
        reserve();
        Allocation others = new Allocation(
                allocation.id(),
                LocalPoolTest.allocationOn(LocalPoolTest.machine(1), 5).node(),
                allocation.machine(),
                allocation.ports(),
                MOST);
        pool.reserve(new Command.Reserve(others), 1);
        assertThat(await(FAILED).problem().message()).contains("belongs to " + allocation.node());
        assertThatAnotherFits();
    }

    @Test
    void an_allocation_that_is_gone_takes_no_memory() {
        open();
        reserve();
        assertThat(pool.known()).isEqualTo(1);
        release();
        Waiting.until("the pool forgets the allocation", () -> pool.known() == 0);
    }

    /** The log of an executor that ends at each start grows with each launch, and nobody else looks after it. */
    @Test
    void a_launch_keeps_the_log_of_the_executors_before_within_its_limit() throws Exception {
        open();
        reserve();
        Path log = folder().executorLog();
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.setLength(21 << 20);
        }
        launch(RUNNING);
        assertThat(Files.size(log)).isLessThan(1 << 20);
        assertThat(log.resolveSibling("executor.log.1")).hasSize(20 << 20);
        release();
    }

    @Test
    void a_task_that_throws_is_a_failure_and_the_next_one_runs() {
        boolean[] bad = {true};
        open((start, progress) -> {
            if (bad[0]) {
                throw new StackOverflowError("thrown on purpose");
            }
            return List.of("sleep", "600");
        });
        reserve();
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
        assertThat(await(FAILED).problem().message()).contains("thrown on purpose");
        bad[0] = false;
        launch(RUNNING);
        release();
    }
}
