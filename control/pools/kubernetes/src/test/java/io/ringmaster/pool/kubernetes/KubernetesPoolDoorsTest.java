package io.ringmaster.pool.kubernetes;

import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.pool.base.Doors;
import io.ringmaster.pool.kubernetes.objects.TokenSecret;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.DoorsContract;
import io.ringmaster.ports.Pool;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a real API server, controller-manager and scheduler, and on kubelets that are played. */
@Tag("kubernetes")
class KubernetesPoolDoorsTest extends DoorsContract {
    private static PlayedMachines machines;

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
        return machines.pool(namespace, new Doors(authorities, doors, Instant::now));
    }

    @Override
    protected Optional<DoorFiles> door(Allocation allocation) {
        return Optional.ofNullable(machines.client
                        .secrets()
                        .inNamespace(namespace)
                        .withName(allocation.id().value())
                        .get())
                .flatMap(TokenSecret::door);
    }

    /** As earlier versions made it. */
    @Test
    void a_secret_that_cannot_be_changed_is_replaced_and_the_token_stays() {
        authorities.make(CONTROL);
        start();
        reserve(allocation(0));
        Secret made = machines.client
                .secrets()
                .inNamespace(namespace)
                .withName(allocation(0).id().value())
                .edit(s -> new SecretBuilder(s).withImmutable(true).build());
        launch(allocation(0));
        await(allocation(0), RUNNING);
        assertThat(door(allocation(0))).isPresent();
        Secret present = machines.client
                .secrets()
                .inNamespace(namespace)
                .withName(allocation(0).id().value())
                .get();
        assertThat(TokenSecret.token(present)).isPresent().isEqualTo(TokenSecret.token(made));
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
