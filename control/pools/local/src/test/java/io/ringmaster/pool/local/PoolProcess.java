package io.ringmaster.pool.local;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.ports.FakePoolRecords;
import java.nio.file.Path;

/** A pool in a process of its own, which a test can kill. Prints RUNNING once its allocation runs. */
public final class PoolProcess {
    private PoolProcess() {}

    public static void main(String[] args) throws InterruptedException {
        LocalPool pool = new LocalPool(LocalPoolTest.settings(Path.of(args[0]), StandInExecutor.WITH_DAEMON));
        pool.start(
                fact -> {
                    if (fact instanceof Fact.AllocationChanged changed
                            && changed.state().status() == AllocationState.Status.RUNNING) {
                        System.out.println("RUNNING");
                    }
                },
                new FakePoolRecords());
        Allocation allocation = LocalPoolTest.allocationOn(LocalPoolTest.machine(1), 0);
        pool.reserve(new Command.Reserve(allocation), 1);
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
        Thread.sleep(120_000);
    }
}
