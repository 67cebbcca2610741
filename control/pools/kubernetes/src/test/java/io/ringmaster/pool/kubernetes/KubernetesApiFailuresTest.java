package io.ringmaster.pool.kubernetes;

import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.spec.SecretKeyRef;
import io.ringmaster.ports.SampleRecords;
import io.ringmaster.ports.SecretReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An API server that does not answer a pool, or refuses what it asks for, and is itself again. */
@Tag("kubernetes")
@Timeout(400)
class KubernetesApiFailuresTest extends PlayedPool {
    /** An API server that starts on a busy machine takes long, and clients wait longer after each attempt. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final SecretKeyRef LOGIN = new SecretKeyRef("app-login", "password");

    private Fact.PoolUnavailable unavailable(String reason) {
        return facts.await(Fact.PoolUnavailable.class, f -> f.reason().contains(reason), PATIENCE);
    }

    @Test
    void a_dead_api_server_is_reported_and_its_return_costs_no_run() {
        start();
        running(allocation(0));
        Optional<String> run = executorRun(allocation(0));
        facts.clear();
        machines.controlPlane.killApiServer();
        try {
            launch(allocation(0));
            unavailable("does not answer");
        } finally {
            machines.controlPlane.startWhatDoesNotRun();
        }
        continues(run);
    }

    @Test
    void an_api_server_that_hangs_is_reported_and_its_return_costs_no_run() {
        start();
        running(allocation(0));
        Optional<String> run = executorRun(allocation(0));
        facts.clear();
        machines.controlPlane.pauseApiServer();
        try {
            launch(allocation(0));
            unavailable("does not answer");
        } finally {
            machines.controlPlane.continueApiServer();
        }
        continues(run);
    }

    /** All is seen again, commands are carried out, and nothing was started twice. */
    private void continues(Optional<String> run) {
        facts.clear();
        assertThat(only(snapshot()).status()).isEqualTo(RUNNING);
        facts.clear();
        launch(allocation(0));
        assertThat(settledRun(allocation(0))).isPresent().isEqualTo(run);
        running(allocation(1));
    }

    @Test
    void rights_that_were_taken_away_are_named_and_their_return_costs_no_run(@TempDir Path folder) throws Exception {
        PlayedRights rights = new PlayedRights(machines.client, namespace);
        kubeconfig = rights.kubeconfig(folder);
        SecretReader secrets = start().secrets().orElseThrow();
        makeLogin();
        assertThat(secrets.read(SampleRecords.RIDES, LOGIN).reveal()).isEqualTo("s3cret");
        running(allocation(0));
        Optional<String> run = executorRun(allocation(0));
        rights.takeAway();
        try {
            facts.clear();
            launch(allocation(0));
            assertThat(unavailable("403").reason())
                    .contains("system:serviceaccount:" + namespace + ":ringmaster")
                    .contains("configmaps");
            assertThat(executorRun(allocation(0))).isEqualTo(run);
            assertThatThrownBy(() -> secrets.read(SampleRecords.RIDES, LOGIN))
                    .hasMessageContaining("Kubernetes answers 403: secrets \"app-login\" is forbidden")
                    .hasMessageContaining("right to get secrets");
        } finally {
            rights.giveBack();
        }
        continues(run);
    }

    private void makeLogin() {
        machines.client
                .secrets()
                .inNamespace(namespace)
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(LOGIN.name())
                        .addToLabels("ringmaster.io/cluster", "rides")
                        .endMetadata()
                        .addToStringData(LOGIN.key(), "s3cret\n")
                        .build())
                .create();
    }

    @Test
    void watches_that_broke_and_may_not_be_made_again_are_reported_with_the_reason(@TempDir Path folder) {
        PlayedRights rights = new PlayedRights(machines.client, namespace);
        kubeconfig = rights.kubeconfig(folder);
        start();
        running(allocation(0));
        Optional<String> run = executorRun(allocation(0));
        rights.takeAwayCluster();
        try {
            facts.clear();
            machines.controlPlane.killApiServer();
            machines.controlPlane.startWhatDoesNotRun();
            assertThat(unavailable("cannot list resource").reason())
                    .contains("are interrupted: ")
                    .doesNotContain("Status(");
        } finally {
            rights.giveBackCluster();
        }
        continues(run);
    }
}
