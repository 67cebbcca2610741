package io.ringmaster.pool.kubernetes;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContract;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** On a real API server, controller-manager and scheduler, and on kubelets that are played. */
@Tag("kubernetes")
class KubernetesPoolContractTest extends PoolContract {
    private static PlayedMachines machines;

    /** The fence against former leaders outlives a test. */
    private final String namespace = machines.namespace();

    @BeforeAll
    static void startKubernetes() {
        Optional<String> lacks = ControlPlane.lacks();
        Assumptions.assumeTrue(lacks.isEmpty(), () -> lacks.orElse(""));
        machines = new PlayedMachines();
    }

    @AfterAll
    static void stopKubernetes() {
        if (machines != null) {
            machines.close();
        }
    }

    @Override
    protected Pool open() {
        return machines.pool(namespace);
    }

    @Override
    protected Allocation allocation(int index) {
        return PlayedMachines.allocation(index);
    }

    @Override
    protected Optional<String> executorRun(Allocation allocation) {
        return machines.kubelet.run(namespace, allocation.id().value());
    }

    @Override
    protected void crashExecutor(Allocation allocation) {
        machines.kubelet.crash(namespace, allocation.id().value());
    }

    @Override
    protected void writeToVolume(Allocation allocation, String text) {
        machines.kubelet.volumes.write(namespace, allocation.id().value(), text);
    }

    @Override
    protected Optional<String> readFromVolume(Allocation allocation) {
        return machines.kubelet.volumes.read(namespace, allocation.id().value());
    }
}
