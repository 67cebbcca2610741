package io.ringmaster.pool.mesos;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContract;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a stand-in master. */
class MesosPoolContractTest extends PoolContract {
    private static StandInMaster master;

    @BeforeAll
    static void startMaster() {
        master = new StandInMaster(MesosSamples.MACHINE);
    }

    @AfterAll
    static void stopMaster() {
        master.close();
    }

    @Override
    protected Pool open() {
        return new MesosPool(MesosSamples.settings(master.address()), start -> "sleep 1000");
    }

    @Override
    protected Allocation allocation(int index) {
        return MesosSamples.allocation(index);
    }

    @Override
    protected Optional<String> executorRun(Allocation allocation) {
        return master.run(allocation.id().value());
    }

    @Override
    protected void crashExecutor(Allocation allocation) {
        master.crash(allocation.id().value());
    }

    @Override
    protected void writeToVolume(Allocation allocation, String text) {
        master.writeToVolume(allocation.id().value(), text);
    }

    @Override
    protected Optional<String> readFromVolume(Allocation allocation) {
        return master.readFromVolume(allocation.id().value());
    }
}
