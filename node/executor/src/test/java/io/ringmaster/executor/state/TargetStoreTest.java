package io.ringmaster.executor.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.TaskSecrets;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetStoreTest {
    private static final NodeId NODE = TestTargets.first().target().node();

    @TempDir
    Path directory;

    private final TestTargets first = TestTargets.first().next().next();
    private NodeFiles files;
    private TargetStore targets;
    private int changes;

    @BeforeEach
    void targets() throws IOException {
        files = new NodeFiles(directory);
        Files.write(files.target(), Json.bytes(first.target()));
        targets = new TargetStore(files, NODE, () -> changes++);
    }

    private NodeTarget onDisk() throws IOException {
        return Json.parse(Files.readAllBytes(files.target()), NodeTarget.class);
    }

    @Test
    void aNewerTargetIsStoredOnDiskAndInForce() throws IOException {
        NodeTarget newer = first.next().spec(2, Map.of("concurrent_reads", 9)).target();
        assertThat(targets.accept(newer)).isEmpty();
        assertThat(targets.current()).contains(newer);
        assertThat(onDisk()).isEqualTo(newer);
        assertThat(changes).isEqualTo(1);
    }

    @Test
    void aTargetThatCannotBeStoredLeavesTheFormerOneAndItsSecretsInForce() throws IOException {
        TaskSecrets had = new TaskSecrets("access-node-0-3", Map.of("hash.app", "$2a$10$x"), null);
        assertThat(targets.accept(first.target(), had)).isEmpty();
        Files.delete(files.target());
        Files.createDirectories(files.target().resolve("obstacle"));
        TaskSecrets newer = new TaskSecrets("access-node-0-4", Map.of(), null);
        assertThatThrownBy(() -> targets.accept(first.next().target(), newer)).isInstanceOf(IOException.class);
        assertThat(targets.current()).contains(first.target());
        assertThat(targets.secrets()).isEqualTo(had);
    }

    @Test
    void anOlderGenerationIsRefusedAndChangesNothing() throws IOException {
        NodeTarget older = TestTargets.first().target();
        assertThat(targets.accept(older)).hasValueSatisfying(problem -> {
            assertThat(problem.code()).isEqualTo(ErrorCode.VERSION_CONFLICT);
            assertThat(problem.message()).contains("1 is older than 3");
        });
        assertThat(onDisk()).isEqualTo(first.target());
        assertThat(changes).isZero();
    }

    /** As a server sends it that was put back to an earlier release: it skips the fields that it does not know. */
    @Test
    void aTargetWithWeakerTlsIsRefusedInEachGenerationAndAStricterOneIsTaken() throws IOException {
        TestTargets strict = first.with("tls", new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.OPTIONAL));
        assertThat(targets.accept(strict.target())).isEmpty();
        for (TestTargets weaker : List.of(
                strict.with("tls", null),
                strict.with("tls", TlsSpec.INTERNODE),
                strict.next().with("tls", TlsSpec.INTERNODE))) {
            assertThat(targets.accept(weaker.target())).hasValueSatisfying(problem -> assertThat(problem.line())
                    .startsWith("tls: {internode: ")
                    .contains(" is weaker than {internode: required, clients: optional}, with which this node runs")
                    .endsWith("apply the spec with tls: {internode: required, clients: optional}"));
        }
        assertThat(onDisk()).isEqualTo(strict.target());
        NodeTarget stricter = strict.with("tls", new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.REQUIRED))
                .target();
        assertThat(targets.accept(stricter)).as("of the same generation").isEmpty();
        assertThat(onDisk()).isEqualTo(stricter);
    }

    /** As a server sends it that was put back to a release without roles, once somebody applies the spec there. */
    @Test
    void aTargetWithoutTheLoginsOfACreatedClusterIsRefused() throws IOException {
        Map<String, Object> roles =
                Map.of("role_manager", Map.of("class_name", "io.ringmaster.companion.access.DeclaredRoleManager"));
        TestTargets guarded = first.created().spec(2, roles);
        assertThat(targets.accept(guarded.target())).isEmpty();
        assertThat(targets.accept(guarded.next().spec(3, Map.of()).target()))
                .hasValueSatisfying(problem -> assertThat(problem.line())
                        .startsWith("cassandraYaml.role_manager: would let every client in")
                        .endsWith("apply the spec with roles"));
        assertThat(onDisk()).isEqualTo(guarded.target());
        NodeTarget other = guarded.next()
                .spec(3, Map.of("role_manager", roles.get("role_manager"), "concurrent_reads", 8))
                .target();
        assertThat(targets.accept(other)).isEmpty();
    }

    @Test
    void loginsMayGoBeforeTheClusterIsCreated() throws IOException {
        Map<String, Object> roles = Map.of("role_manager", "io.ringmaster.companion.access.DeclaredRoleManager");
        assertThat(targets.accept(first.spec(2, roles).target())).isEmpty();
        assertThat(targets.accept(first.next().spec(3, Map.of()).target())).isEmpty();
    }

    @Test
    void theSameTargetAgainChangesNothing() throws IOException {
        assertThat(targets.accept(first.target())).isEmpty();
        assertThat(changes).isZero();
    }

    @Test
    void theSameGenerationMayNotMakeAClusterEmptyAgain() throws IOException {
        assertThat(targets.accept(first.created().target())).isEmpty();
        assertThat(targets.accept(first.target()))
                .hasValueSatisfying(problem -> assertThat(problem.field()).isEqualTo("firstCreation"));
        assertThat(targets.current()).contains(first.created().target());
    }

    @Test
    void aTargetWithAReservedParameterIsRefusedAndNotStored() throws IOException {
        NodeTarget bad = first.next().spec(2, Map.of("storage_port", 1)).target();
        assertThat(targets.accept(bad))
                .hasValueSatisfying(problem -> assertThat(problem.field()).isEqualTo("cassandra_yaml.storage_port"));
        assertThat(onDisk()).isEqualTo(first.target());
    }

    private TargetStore reopened() throws IOException {
        return new TargetStore(files, NODE, () -> changes++);
    }

    @Test
    void withoutAFirstTargetItWaitsForOneAndStoresIt() throws IOException {
        Files.delete(files.target());
        TargetStore empty = reopened();
        assertThat(empty.current()).isEmpty();
        assertThat(empty.accept(first.target())).isEmpty();
        assertThat(empty.current()).contains(first.target());
        assertThat(onDisk()).isEqualTo(first.target());
        assertThat(changes).isEqualTo(1);
    }

    @Test
    void aTargetThatIsOlderThanTheLaunchIsNotInForceAndOnlyANewEnoughOneTakesItsPlace() throws IOException {
        assertThat(new TargetStore(files, NODE, () -> {}, 3).current()).contains(first.target());
        TargetStore outdated = new TargetStore(files, NODE, () -> changes++, 5);
        assertThat(outdated.current()).isEmpty();
        assertThat(outdated.generation()).isEqualTo(3);
        assertThat(outdated.accept(first.target())).isPresent();
        assertThat(outdated.accept(first.next().target()))
                .hasValueSatisfying(problem -> assertThat(problem.message()).contains("4 is older than 5"));
        assertThat(onDisk()).isEqualTo(first.target());
        assertThat(changes).isZero();
        NodeTarget newest = first.next().next().target();
        assertThat(outdated.accept(newest)).isEmpty();
        assertThat(outdated.current()).contains(newest);
        assertThat(changes).isEqualTo(1);
    }

    @Test
    void theFirstTargetMustBeForTheSameNode() throws IOException {
        Files.delete(files.target());
        TargetStore empty = reopened();
        NodeTarget other = first.with("node", "rides/dc1/node-1").target();
        assertThat(empty.accept(other)).hasValueSatisfying(problem -> {
            assertThat(problem.code()).isEqualTo(ErrorCode.NODE_UNKNOWN);
            assertThat(problem.message()).contains("rides/dc1/node-1", "this executor runs rides/dc1/node-0");
            assertThat(problem.nextStep()).hasToString("send it to the executor of rides/dc1/node-1");
        });
        assertThat(empty.current()).isEmpty();
        assertThat(files.target()).doesNotExist();
    }

    @Test
    void theVolumeOfAnotherNodeIsRefused() {
        assertThatThrownBy(() -> new TargetStore(files, NodeId.of("rides/dc1/node-1"), () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds the node rides/dc1/node-0, but --node is rides/dc1/node-1")
                .hasMessageContaining(
                        "start it with the --directory of rides/dc1/node-1, or with --node rides/dc1/node-0");
    }

    @Test
    void aDamagedTargetIsKeptAsideAndTheNextOneTaken() throws IOException {
        for (String damage : List.of("", "{\"node\":", "{}", "null", "\0\0\0")) {
            Files.writeString(files.target(), damage);
            TargetStore damaged = reopened();
            assertThat(damaged.current()).as(damage).isEmpty();
            assertThat(directory.resolve("target.json.damaged")).hasContent(damage);
            assertThat(damaged.accept(first.target())).isEmpty();
            assertThat(onDisk()).isEqualTo(first.target());
        }
    }

    @Test
    void theTargetOfAnOlderVersionIsReadThoughItHoldsAnAddress() throws IOException {
        String text = Json.text(first.target()).replaceFirst("\\{", "{\"address\":\"127.1.1.1\",");
        Files.writeString(files.target(), text);
        assertThat(reopened().current()).contains(first.target());
    }
}
