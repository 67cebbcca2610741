package io.ringmaster.pool.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolFixture;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** A pool on a real control plane and on kubelets that are played, whose parts a test makes fail. */
abstract class PlayedPool extends PoolFixture {
    static PlayedMachines machines;

    final String namespace = machines.namespace();
    Path kubeconfig = machines.controlPlane.kubeconfig();

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
        return PlayedMachines.pool(namespace, kubeconfig);
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

    static AllocationState only(Fact.PoolSeen seen) {
        assertThat(seen.allocations()).hasSize(1);
        return seen.allocations().get(0);
    }
}
