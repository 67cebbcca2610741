package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Asked;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.JvmSpec.Collector;
import io.ringmaster.model.spec.LiveParameters;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.TlsSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What restarts a daemon: an order of the servers, and nothing else. */
class DriftTest {
    private static final NodeAddress MOVED = NodeAddress.of("127.1.1.9", null);
    private static final TestTargets STARTED = TestTargets.first().joined().spec(1, Map.of("max_hint_window", "3h"));

    @TempDir
    Path directory;

    private NodeFiles files;
    private Installation installation;

    @BeforeEach
    void files() throws IOException {
        Files.createFile(directory.resolve("cassandra.jar"));
        files = new NodeFiles(directory);
        files.create();
        installation = new Installation(directory, directory, directory, null, null);
    }

    /** The state of a daemon, as an executor of this release stores it. */
    private static DaemonState started(String fingerprint) {
        NodeTarget target = STARTED.target();
        DaemonState state = DaemonState.none()
                .started(1, 0, fingerprint, LiveParameters.of(target.cassandraYaml()), Instant.EPOCH)
                .askedFor(new Asked(target, TestTargets.ADDRESS));
        return Json.parse(Json.text(state), DaemonState.class);
    }

    private static DaemonState ofAnEarlierRelease(String fingerprint) {
        return started(fingerprint).askedFor(null);
    }

    private Configuration configuration(TestTargets target) {
        return Configurations.of(target.target(), TestTargets.ADDRESS, files, installation, true);
    }

    private String fingerprint() {
        return configuration(STARTED).fingerprint();
    }

    private Drift drift(TestTargets wanted, DaemonState state) {
        return drift(wanted, TestTargets.ADDRESS, state);
    }

    private Drift drift(TestTargets wanted, NodeAddress address, DaemonState state) {
        return new Drift(wanted.target(), address, state, files, installation);
    }

    @Test
    void a_release_that_generates_other_files_restarts_nothing_and_is_noticed() {
        Drift drift = drift(STARTED.next(), started("that of another release"));
        assertThat(drift.stopReason(true)).isEmpty();
        assertThat(drift.isOfAnotherRelease()).isTrue();
        assertThat(drift(STARTED, started(fingerprint())).isOfAnotherRelease()).isFalse();
    }

    @Test
    void a_daemon_of_a_release_that_kept_only_the_fingerprint_is_not_restarted_either() throws IOException {
        DaemonState earlier = ofAnEarlierRelease("that of another release");
        ConfigurationFiles.write(configuration(STARTED), files);
        assertThat(drift(STARTED.next(), earlier).stopReason(true)).isEmpty();

        TestTargets other = STARTED.next().spec(2, STARTED.target().cassandraYaml());
        assertThat(drift(other, earlier).stopReason(true))
                .as("a version of the spec with which it may not have been started")
                .isPresent();
        assertThat(drift(other, ofAnEarlierRelease(fingerprint())).stopReason(true))
                .isEmpty();
        assertThat(drift(STARTED, MOVED, earlier).stopReason(true))
                .as("it listens elsewhere")
                .isPresent();
        TestTargets byTls = STARTED.with("tls", TlsSpec.INTERNODE);
        assertThat(drift(byTls, earlier).stopReason(true))
                .as("an executor that knew no TLS started it")
                .isPresent();
        ConfigurationFiles.write(configuration(byTls), files);
        assertThat(drift(byTls, earlier).stopReason(true)).isEmpty();
    }

    @Test
    void an_order_of_the_servers_restarts_a_daemon_of_any_release() {
        for (String fingerprint : new String[] {fingerprint(), "that of another release"}) {
            DaemonState state = started(fingerprint);
            assertThat(drift(STARTED.options(Collector.SERIAL, "-Dx=y"), state).stopReason(true))
                    .contains("restarting with its new configuration");
            assertThat(drift(STARTED.run(true, 1), state).stopReason(true)).contains("restarting as asked");
            assertThat(drift(STARTED.run(false, 0), state).stopReason(true)).contains("stopping as asked");
            assertThat(drift(STARTED, MOVED, state).stopReason(true)).isPresent();
        }
    }

    @Test
    void a_field_that_another_release_adds_to_the_target_restarts_nothing() throws IOException {
        ObjectNode later = Json.mapper().valueToTree(STARTED.next().target());
        later.putObject("sidecar").put("port", 1);
        TestTargets wanted = new TestTargets(Json.parse(later.toString(), NodeTarget.class));
        assertThat(drift(wanted, started(fingerprint())).stopReason(true)).isEmpty();

        ObjectNode state = Json.mapper().valueToTree(started(fingerprint()));
        ((ObjectNode) state.at("/asked/target")).putObject("sidecar").put("port", 1);
        assertThat(drift(STARTED.next(), Json.parse(state.toString(), DaemonState.class))
                        .stopReason(true))
                .as("the daemon of a later release")
                .isEmpty();
    }

    @Test
    void an_optional_field_that_the_daemon_was_started_without_is_the_same_as_its_default() {
        TestTargets explicit = STARTED.next().with("tls", TlsSpec.OFF);
        assertThat(explicit.target().tls()).isNotNull();
        for (String fingerprint : new String[] {fingerprint(), "that of another release"}) {
            assertThat(drift(explicit, started(fingerprint)).stopReason(true)).isEmpty();
        }
    }

    @Test
    void what_the_daemon_does_not_see_of_its_target_restarts_nothing() {
        NodeResources had = STARTED.target().resources();
        NodeResources more =
                new NodeResources(had.cpuMillis(), had.memoryBytes(), had.heapBytes(), had.diskBytes() * 2);
        TestTargets larger = STARTED.next().with("resources", more);
        assertThat(drift(larger, started("that of another release")).stopReason(true))
                .isEmpty();
    }

    @Test
    void a_live_parameter_is_set_live_whatever_release_started_the_daemon() {
        TestTargets changed = STARTED.next().spec(2, Map.of("max_hint_window", "4h"));
        for (String fingerprint : new String[] {fingerprint(), "that of another release"}) {
            Drift drift = drift(changed, started(fingerprint));
            assertThat(drift.stopReason(true)).isEmpty();
            assertThat(drift.live())
                    .hasValueSatisfying(c -> assertThat(c.names()).containsExactly("max_hint_window"));
            assertThat(drift.stopReason(false)).isPresent();
        }
    }
}
