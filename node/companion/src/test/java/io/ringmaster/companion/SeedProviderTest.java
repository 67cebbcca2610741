package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class SeedProviderTest {
    private static final String UNREACHABLE = "http://127.0.0.1:1";

    @TempDir
    Path directory;

    private Map<String, String> parameters;

    @BeforeEach
    void parameters() {
        parameters = new TreeMap<>(Map.of(
                "node", "rides/dc1/node-1",
                "endpoint", "127.1.1.2:7000",
                "servers_file", directory.resolve("seed-servers").toString(),
                "cache_file", directory.resolve("seeds.json").toString(),
                "joined", "false",
                "wait_seconds", "0"));
    }

    private List<String> seeds(String... servers) throws IOException {
        Files.write(directory.resolve("seed-servers"), List.of(servers));
        return new SeedProvider(parameters)
                .getSeeds().stream().map(Object::toString).toList();
    }

    @Test
    void theFirstNodeOfAClusterIsItsOnlySeed() throws IOException {
        try (ServerStub server = new ServerStub("{\"isSeed\":true,\"seeds\":[]}")) {
            assertThat(seeds(server.url())).containsExactly("/127.1.1.2:7000");
            assertThat(server.requests).containsExactly("/api/v1/seeds?node=rides%2Fdc1%2Fnode-1");
        }
    }

    @Test
    void aLaterSeedKnowsTheEarlierSeedsAndItself() throws IOException {
        try (ServerStub server = new ServerStub("{\"isSeed\":true,\"seeds\":[\"127.1.1.1:7000\"]}")) {
            assertThat(seeds(server.url())).containsExactly("/127.1.1.1:7000", "/127.1.1.2:7000");
        }
    }

    @Test
    void aNodeThatMustBootstrapIsNeverItsOwnSeedEvenWhenTheServerListsIt() throws IOException {
        try (ServerStub server =
                new ServerStub("{\"isSeed\":false,\"seeds\":[\"127.1.1.1:7000\",\"127.1.1.2:7000\"]}")) {
            assertThat(seeds(server.url())).containsExactly("/127.1.1.1:7000");
        }
    }

    @Test
    void theNextServerIsAskedWhenOneIsDown() throws IOException {
        try (ServerStub server = new ServerStub("{\"isSeed\":false,\"seeds\":[\"127.1.1.1:7000\"]}")) {
            assertThat(seeds(UNREACHABLE, server.url())).containsExactly("/127.1.1.1:7000");
        }
    }

    @Test
    void aNodeThatJoinedBeforeUsesTheLastAnswerWhileNoServerAnswers() throws IOException {
        try (ServerStub server = new ServerStub("{\"isSeed\":false,\"seeds\":[\"127.1.1.1:7000\"]}")) {
            seeds(server.url());
        }
        parameters.put("joined", "true");
        assertThat(seeds(UNREACHABLE)).containsExactly("/127.1.1.1:7000");
    }

    @Test
    void aNodeThatHasMovedIsNoSeedByTheLastAnswerAndLooksForTheOthers() throws IOException {
        parameters.put("joined", "true");
        try (ServerStub server = new ServerStub("{\"isSeed\":true,\"seeds\":[\"127.1.1.1:7000\"]}")) {
            seeds(server.url());
        }
        assertThat(seeds(UNREACHABLE)).containsExactly("/127.1.1.1:7000", "/127.1.1.2:7000");
        parameters.put("endpoint", "127.1.1.3:7000");
        assertThat(seeds(UNREACHABLE)).containsExactly("/127.1.1.1:7000");
    }

    @Test
    void aNodeThatHasMovedAndKnowsNobodyWaitsForAServer() throws IOException {
        parameters.put("joined", "true");
        try (ServerStub server = new ServerStub("{\"isSeed\":true,\"seeds\":[]}")) {
            seeds(server.url());
        }
        assertThat(seeds(UNREACHABLE)).containsExactly("/127.1.1.2:7000");
        parameters.put("endpoint", "127.1.1.3:7000");
        assertThatThrownBy(() -> seeds(UNREACHABLE)).hasMessageContaining("no server gave rides/dc1/node-1 its seeds");
    }

    @Test
    void anAnswerThatAFormerReleaseKeptCountsAtAnyAddress() throws IOException {
        Files.writeString(directory.resolve("seeds.json"), "{\"isSeed\":true,\"seeds\":[]}");
        parameters.put("joined", "true");
        assertThat(seeds(UNREACHABLE)).containsExactly("/127.1.1.2:7000");
    }

    @Test
    void aNewerAnswerReplacesTheCachedOne() throws IOException {
        try (ServerStub server = new ServerStub("{\"isSeed\":false,\"seeds\":[\"127.1.1.1:7000\"]}")) {
            seeds(server.url());
            server.answer = "{\"isSeed\":false,\"seeds\":[\"127.1.1.9:7000\"]}";
            seeds(server.url());
        }
        parameters.put("joined", "true");
        assertThat(seeds(UNREACHABLE)).containsExactly("/127.1.1.9:7000");
        assertThat(directory.resolve("seeds.json.next")).doesNotExist();
    }

    @Test
    void aNodeThatNeverJoinedDoesNotTrustAnOldAnswerThatCouldMakeItSkipItsBootstrap() throws IOException {
        try (ServerStub server = new ServerStub("{\"isSeed\":true,\"seeds\":[]}")) {
            seeds(server.url());
        }
        assertThatThrownBy(() -> seeds(UNREACHABLE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("rides/dc1/node-1")
                .hasMessageContaining(UNREACHABLE);
    }

    @Test
    void anAnswerWithoutSeedsIsUnusableForANodeThatIsNoSeed() throws IOException {
        try (ServerStub server = new ServerStub("{\"isSeed\":false,\"seeds\":[]}")) {
            assertThatThrownBy(() -> seeds(server.url())).hasMessageContaining("no seeds yet");
            server.answer = "{\"isSeed\":false,\"seeds\":[],\"reason\":\"dc2 has not reported its nodes\"}";
            assertThatThrownBy(() -> seeds(server.url()))
                    .hasMessageContaining("no server gave rides/dc1/node-1 its seeds")
                    .hasMessageContaining(server.url() + ": dc2 has not reported its nodes");
        }
    }

    @Test
    void theNodeWaitsForAServerThatComesUpLater() throws Exception {
        parameters.put("wait_seconds", "20");
        try (ServerStub server = new ServerStub("not ready")) {
            server.status = 503;
            Thread recovery = new Thread(() -> {
                while (server.requests.size() < 3) {
                    Thread.onSpinWait();
                }
                server.answer = "{\"isSeed\":true,\"seeds\":[]}";
                server.status = 200;
            });
            recovery.start();
            assertThat(seeds(server.url())).containsExactly("/127.1.1.2:7000");
            recovery.join();
        }
    }

    @Test
    void anInvalidAnswerAndADamagedCacheAreReportedAndYieldNoSeeds() throws IOException {
        Files.writeString(directory.resolve("seeds.json"), "{\"isSe");
        parameters.put("joined", "true");
        try (ServerStub server = new ServerStub("<html>")) {
            assertThatThrownBy(() -> seeds(server.url()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(server.url());
        }
    }

    @Test
    void aMissingParameterIsNamed() {
        parameters.remove("cache_file");
        assertThatThrownBy(() -> new SeedProvider(parameters)).hasMessageContaining("cache_file");
    }
}
