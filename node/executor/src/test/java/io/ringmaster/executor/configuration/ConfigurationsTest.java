package io.ringmaster.executor.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.JvmSpec.Collector;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.EncryptionOptions;
import org.apache.cassandra.config.YamlConfigurationLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationsTest {
    private static final TlsSpec CLIENTS = new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.OPTIONAL);
    private static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final NodeFiles FILES = new NodeFiles(Path.of("/allocation"));

    @TempDir
    Path jars;

    private Installation installation;

    @BeforeEach
    void jars() throws IOException {
        for (String name : List.of("b.jar", "a.jar", "notes.txt")) {
            Files.createFile(jars.resolve(name));
        }
        installation = new Installation(Path.of("/jdk/bin/java"), jars, Path.of("/dist/companion.jar"), null, null);
    }

    private Configuration of(TestTargets target) {
        return Configurations.of(target.target(), TestTargets.ADDRESS, FILES, installation, false);
    }

    /**
     * Compares the configuration as text with the golden file; {@code -Daccept=true} overwrites the file, for a review
     * in the diff.
     */
    private void assertGolden(String name, Configuration configuration) throws IOException {
        StringBuilder text = new StringBuilder();
        configuration
                .files()
                .forEach((file, content) ->
                        text.append("=== ").append(file).append('\n').append(content));
        text.append("=== command\n")
                .append(String.join("\n", configuration.command()))
                .append('\n');
        text.append("=== environment\n").append(configuration.environment()).append('\n');
        String actual = text.toString().replace(jars.toString(), "/jars");
        Path file = GOLDEN.resolve(name);
        if (Boolean.getBoolean("accept")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, actual);
        }
        assertThat(actual).isEqualTo(Files.readString(file));
    }

    @Test
    void aDevelopmentNodeOfANewCluster() throws IOException {
        assertGolden("development-first-creation.txt", of(TestTargets.first()));
    }

    @Test
    void aProductionNodeOfALiveCluster() throws IOException {
        assertGolden("production-live.txt", of(TestTargets.first().created().production()));
    }

    @Test
    void aNodeWithTlsBetweenNodes() throws IOException {
        assertGolden("internode-tls.txt", of(TestTargets.first().with("tls", TlsSpec.INTERNODE)));
    }

    @Test
    void aNodeWithTlsForClients() throws IOException {
        assertGolden("clients-tls.txt", of(TestTargets.first().with("tls", CLIENTS)));
    }

    @Test
    void cassandraItselfReadsTheParametersOfTls() throws IOException {
        Path yaml = jars.resolve("cassandra.yaml");
        Files.writeString(
                yaml, of(TestTargets.first().with("tls", CLIENTS)).files().get("conf/cassandra.yaml"));
        Config config = new YamlConfigurationLoader().loadConfig(yaml.toUri().toURL());
        assertThat(config.server_encryption_options.internode_encryption)
                .isEqualTo(EncryptionOptions.ServerEncryptionOptions.InternodeEncryption.all);
        assertThat(config.server_encryption_options.require_endpoint_verification)
                .isTrue();
        assertThat(config.internode_authenticator.parameters)
                .containsEntry("trusted_peer_identities", "spiffe://ringmaster/cluster/rides");
        config.client_encryption_options.applyConfig();
        assertThat(config.client_encryption_options.tlsEncryptionPolicy())
                .isEqualTo(EncryptionOptions.TlsEncryptionPolicy.OPTIONAL);
        assertThat(config.client_encryption_options.require_client_auth).isFalse();
    }

    @Test
    void tlsDecidesOnARestart() {
        assertThat(of(TestTargets.first().with("tls", TlsSpec.INTERNODE)).fingerprint())
                .isNotEqualTo(of(TestTargets.first()).fingerprint())
                .isNotEqualTo(of(TestTargets.first().with("tls", CLIENTS)).fingerprint());
    }

    @Test
    void aReplacementNamesTheDeadNodeAndListensTenSecondsForItsHeartbeat() {
        assertThat(of(TestTargets.first().replacing("127.1.1.9:7000")).command())
                .contains(
                        "-Dcassandra.replace_address_first_boot=127.1.1.9:7000",
                        "-Dcassandra.broadcast_interval_ms=10000",
                        "-Dcassandra.skip_schema_check_for_endpoints=127.1.1.9:7000");
        assertThat(of(TestTargets.first().created()).command())
                .noneMatch(o -> o.contains("replace") || o.contains("broadcast_interval"));
    }

    @Test
    void onlyAReplacementThatHasNotJoinedForgetsThePeersOfAnEarlierTry() {
        String forgets = "-Dcassandra.load_ring_state=false";
        TestTargets replacing = TestTargets.first().replacing("127.1.1.9:7000");
        assertThat(of(replacing).command()).contains(forgets);
        assertThat(Configurations.of(replacing.target(), TestTargets.ADDRESS, FILES, installation, true)
                        .command())
                .as("a member needs the peers that it knows: others may be dead, and in nobody's gossip")
                .doesNotContain(forgets);
        assertThat(of(TestTargets.first().created()).command())
                .as("an interrupted bootstrap")
                .doesNotContain(forgets);
        assertThat(of(TestTargets.first()).command()).doesNotContain(forgets);
    }

    @Test
    void cassandraItselfReadsTheGeneratedYaml() throws IOException {
        Map<String, Object> set = Map.of(
                "concurrent_reads",
                7,
                "memtable",
                Map.of("configurations", Map.of("default", Map.of("class_name", "TrieMemtable"))),
                "hinted_handoff_disabled_datacenters",
                List.of("dc2", "dc3"));
        Path yaml = jars.resolve("cassandra.yaml");
        Files.writeString(yaml, of(TestTargets.first().spec(2, set)).files().get("conf/cassandra.yaml"));
        URL url = yaml.toUri().toURL();
        Config config = new YamlConfigurationLoader().loadConfig(url);
        assertThat(config.cluster_name).isEqualTo("rides");
        assertThat(config.initial_token).isEqualTo("-9223372036854775808");
        assertThat(config.concurrent_reads).isEqualTo(7);
        assertThat(config.hinted_handoff_disabled_datacenters).containsExactlyInAnyOrder("dc2", "dc3");
        assertThat(config.memtable.configurations).containsKey("default");
        assertThat(config.seed_provider.class_name).isEqualTo("io.ringmaster.companion.SeedProvider");
        assertThat(config.seed_provider.parameters)
                .containsEntry("node", "rides/dc1/node-0")
                .containsEntry("endpoint", "127.1.1.1:7000")
                .containsEntry("joined", "false");
    }

    @Test
    void aParameterGivenByItsFormerNameReplacesTheGeneratedOne() throws IOException {
        Map<String, Object> former = Map.of(
                "commitlog_sync_period_in_ms", 5000, "key_cache_size_in_mb", 7, "hints_flush_period_in_ms", 9000);
        Path yaml = jars.resolve("cassandra.yaml");
        Files.writeString(yaml, of(TestTargets.first().spec(2, former)).files().get("conf/cassandra.yaml"));
        Config config = new YamlConfigurationLoader().loadConfig(yaml.toUri().toURL());
        assertThat(config.commitlog_sync_period.toMilliseconds()).isEqualTo(5000);
        assertThat(config.key_cache_size.toMebibytes()).isEqualTo(7);
        assertThat(config.hints_flush_period.toMilliseconds()).isEqualTo(9000);
    }

    @ParameterizedTest
    @CsvSource({
        "periodic, commitlog_sync_period, 5s",
        "group, commitlog_sync_group_window, 10ms",
        "batch, concurrent_reads, 7",
    })
    void aKindOfSyncOfTheCommitLogLeavesNoParameterOfAnotherOne(String kind, String parameter, String value) {
        Map<String, Object> set = Map.of("commitlog_sync", kind, parameter, value);
        for (TestTargets target :
                List.of(TestTargets.first(), TestTargets.first().production())) {
            String yaml = of(target.spec(2, set)).files().get("conf/cassandra.yaml");
            assertThat(yaml.lines()).contains("commitlog_sync: \"" + kind + "\"", parameter + ": \"" + value + "\"");
            assertThat(yaml.contains("commitlog_sync_period")).isEqualTo(kind.equals("periodic"));
        }
    }

    @Test
    void developmentSyncsTheCommitLogEachSecond() {
        assertThat(of(TestTargets.first()).files().get("conf/cassandra.yaml"))
                .contains("\ncommitlog_sync_period: \"1s\"\n", "\nperiodic_commitlog_sync_lag_block: \"15s\"\n");
        assertThat(of(TestTargets.first().production()).files().get("conf/cassandra.yaml"))
                .contains("\ncommitlog_sync_period: \"10000ms\"\n")
                .doesNotContain("sync_lag_block");
    }

    @Test
    void onlyAnExplicitFalseSwitchesTheCheckForOutdatedVolumesOff() {
        String name = "check_data_resurrection";
        Map<String, Object> file = Map.of("heartbeat_file", "/heartbeat");
        assertThat(startupChecks(Map.of("check_filesystem_ownership", Map.of("enabled", true))))
                .contains("\"check_filesystem_ownership\"", "\"check_data_resurrection\" : {\"enabled\" : true}");
        assertThat(startupChecks(Map.of(name, file))).contains("\"enabled\" : true", "/heartbeat");
        Map<String, Object> empty = new HashMap<>();
        empty.put(name, null);
        assertThat(startupChecks(empty)).contains("\"enabled\" : true");
        assertThat(startupChecks(Map.of(name, Map.of("enabled", false)))).contains("\"enabled\" : false");
    }

    private String startupChecks(Map<String, Object> checks) {
        return of(TestTargets.first().spec(2, Map.of("startup_checks", checks)))
                .files()
                .get("conf/cassandra.yaml")
                .lines()
                .filter(line -> line.startsWith("startup_checks"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theClassPathIsSortedWithTheCompanionLast() {
        assertThat(installation.classPath(TestTargets.first().target()))
                .isEqualTo(jars + "/a.jar:" + jars + "/b.jar:/dist/companion.jar");
    }

    private static final Map<String, Object> ENGINE = Map.of(
            "memtable",
            Map.of("configurations", Map.of("rocksdb", Map.of("class_name", "io.ringmaster.engine.RocksDB"))));

    @Test
    void theEnginesJarsFollowTheCompanionIfTheConfigurationNamesTheEngine(@TempDir Path engine) throws IOException {
        Files.createFile(engine.resolve("rocksdb-engine.jar"));
        Installation whole = new Installation(installation.java(), jars, installation.companion(), null, engine);
        NodeTarget with = TestTargets.first().spec(2, ENGINE).target();
        assertThat(whole.classPath(with)).endsWith(":/dist/companion.jar:" + engine + "/rocksdb-engine.jar");
        assertThat(whole.classPath(TestTargets.first().target())).endsWith(":/dist/companion.jar");
        assertThat(Configurations.missing(with, whole)).isEmpty();
        NodeTarget production = TestTargets.first().production().spec(2, ENGINE).target();
        assertThat(Configurations.of(production, TestTargets.ADDRESS, FILES, whole, false)
                        .environment())
                .as("native threads must not each have their own arena")
                .containsEntry("MALLOC_ARENA_MAX", "2");
    }

    @Test
    void aNodeThatNeedsAMissingEngineIsNotStarted() {
        NodeTarget with = TestTargets.first().spec(2, ENGINE).target();
        assertThat(Configurations.missing(with, installation)).hasValueSatisfying(problem -> {
            assertThat(problem.field()).isEqualTo("engine.rocksdb");
            assertThat(problem.nextStep()).asString().contains("./dev build");
        });
        assertThat(Configurations.missing(TestTargets.first().target(), installation))
                .isEmpty();
    }

    @Test
    void optionsOfTheSpecComeLastAndWin() {
        List<String> command = of(TestTargets.first().options(Collector.G1, "-Xmx300m", "-Dx=y"))
                .command();
        assertThat(command.indexOf("-Xmx300m")).isGreaterThan(command.indexOf("-Xmx256m"));
        assertThat(command).contains("-XX:+UseG1GC", "-Dx=y").doesNotContain("-XX:+UseSerialGC");
    }

    @Test
    void onlyTheFirstCreationJoinsWithoutBootstrap() {
        assertThat(of(TestTargets.first()).command())
                .contains(
                        "-Dcassandra.auto_bootstrap=false",
                        "-Dcassandra.start_native_transport=false",
                        "-Dcassandra.auth_cache.warming.max_retries=0");
        assertThat(of(TestTargets.first().created()).command())
                .noneMatch(o -> o.matches(".*(auto_bootstrap|start_native_transport|max_retries).*"));
        assertThat(of(TestTargets.first().created()).files().get("conf/cassandra.yaml"))
                .doesNotContain("auto_bootstrap");
    }

    @Test
    void aChangeThatTheDaemonDoesNotSeeNeedsNoRestart() {
        String fingerprint = of(TestTargets.first()).fingerprint();
        TestTargets moved = TestTargets.first().next().created();
        NodeTarget t = moved.target();
        assertThat(of(moved).fingerprint()).isEqualTo(fingerprint);
        assertThat(of(moved.at(t.ports(), List.of("http://other:1"))).fingerprint())
                .isEqualTo(fingerprint);
        assertThat(Configurations.of(t, TestTargets.ADDRESS, FILES, installation, true)
                        .fingerprint())
                .isEqualTo(fingerprint);
    }

    @Test
    void aChangedParameterOrOptionNeedsARestart() {
        String fingerprint = of(TestTargets.first()).fingerprint();
        assertThat(of(TestTargets.first().spec(2, Map.of("concurrent_reads", 9)))
                        .fingerprint())
                .isNotEqualTo(fingerprint);
        assertThat(of(TestTargets.first().options(Collector.SERIAL, "-Dx=y")).fingerprint())
                .isNotEqualTo(fingerprint);
    }

    @Test
    void aNodeThatIsReachedAtAnotherAddressAdvertisesIt() {
        NodeAddress translated = NodeAddress.of("10.0.0.7", "192.0.2.1");
        Configuration there = Configurations.of(TestTargets.first().target(), translated, FILES, installation, false);
        assertThat(there.files().get("conf/cassandra.yaml"))
                .contains("\nlisten_address: \"10.0.0.7\"", "\nrpc_address: \"10.0.0.7\"")
                .contains("\nbroadcast_address: \"192.0.2.1\"", "\nbroadcast_rpc_address: \"192.0.2.1\"")
                .contains("\"endpoint\" : \"192.0.2.1:7000\"");
        assertThat(of(TestTargets.first()).files().get("conf/cassandra.yaml")).doesNotContain("broadcast");
    }

    @Test
    void anotherAddressNeedsARestart() {
        String fingerprint = of(TestTargets.first()).fingerprint();
        for (NodeAddress other : List.of(NodeAddress.of("127.1.1.2", null), NodeAddress.of("127.1.1.1", "127.1.1.2"))) {
            assertThat(Configurations.of(TestTargets.first().target(), other, FILES, installation, false)
                            .fingerprint())
                    .isNotEqualTo(fingerprint);
        }
    }

    @Test
    void aReservedParameterIsRefusedByName() {
        NodeTarget target = TestTargets.first()
                .spec(2, Map.of("listen_address", "10.0.0.1"))
                .target();
        assertThat(Configurations.problem(target)).hasValueSatisfying(problem -> {
            assertThat(problem.code()).isEqualTo(ErrorCode.CONFIGURATION_REJECTED);
            assertThat(problem.field()).isEqualTo("cassandra_yaml.listen_address");
            assertThat(problem.nextStep()).isNotNull();
        });
    }
}
