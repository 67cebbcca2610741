package io.ringmaster.pool.mesos;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContract;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** On a real master and three agents, whose tasks sleep. */
@Tag("mesos")
class RealMesosContractTest extends PoolContract {
    private static RealMesos mesos;

    @BeforeAll
    static void startMesos() {
        Optional<String> lacks = RealMesos.lacks();
        Assumptions.assumeTrue(lacks.isEmpty(), () -> lacks.orElse(""));
        mesos = RealMesos.up();
    }

    @AfterAll
    static void stopMesos() {
        if (mesos != null) {
            mesos.close();
        }
    }

    @Override
    protected Pool open() {
        return new MesosPool(
                MesosSamples.settings(RealMesos.MASTER),
                start -> RealMesos.command(start.allocation().id().value()));
    }

    @Override
    protected Allocation allocation(int index) {
        Allocation sample = MesosSamples.allocation(index);
        return new Allocation(
                sample.id(), sample.node(), new MachineName(RealMesos.MACHINE), sample.ports(), sample.resources());
    }

    @Override
    protected Optional<String> executorRun(Allocation allocation) {
        return mesos.run(allocation.id().value());
    }

    @Override
    protected void crashExecutor(Allocation allocation) {
        mesos.crash(allocation.id().value());
    }

    @Override
    protected void writeToVolume(Allocation allocation, String text) {
        mesos.write(allocation.id().value(), text);
    }

    @Override
    protected Optional<String> readFromVolume(Allocation allocation) {
        return mesos.read(allocation.id().value());
    }
}
