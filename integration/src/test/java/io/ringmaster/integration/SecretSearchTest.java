package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.store.zookeeper.EmbeddedZooKeeper;
import io.ringmaster.store.zookeeper.ZooKeeperSession;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the search finds where a secret was planted. */
@Timeout(60)
class SecretSearchTest {
    private static final String SECRET = "a-planted-secret-of-this-test";
    private static final int CHUNK = 1 << 20;

    @TempDir
    private Path home;

    private SecretSearch search() {
        return new SecretSearch(List.of(PlantedSecret.of("the secret", SECRET, home.resolve("keeper"))));
    }

    private Path file(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void a_file_with_a_secret_is_found_and_its_own_place_is_not() throws Exception {
        file("keeper/password", SECRET);
        file("keeper-of-others", "nothing");
        assertThat(search().files(home).found()).isEmpty();
        Path leak = file("logs/system.log", "user app has " + SECRET + "\n");
        assertThat(search().files(home).found()).containsExactly("the secret in " + leak);
    }

    @Test
    void a_secret_over_the_border_of_what_is_read_at_once_is_found() throws Exception {
        for (int before : List.of(0, CHUNK - 1, CHUNK - SECRET.length() + 1, CHUNK, 2 * CHUNK - 20)) {
            byte[] dots = new byte[before];
            Arrays.fill(dots, (byte) '.');
            Path leak = file("leak", new String(dots, StandardCharsets.US_ASCII) + SECRET);
            assertThat(search().files(home).found()).as("at %d", before).containsExactly("the secret in " + leak);
        }
    }

    @Test
    void arguments_and_environments_are_searched() throws Exception {
        var builder = new ProcessBuilder("sh", "-c", "read -r line", home + "/sh", SECRET);
        builder.environment().put("PASSWORD", SECRET);
        Process process = builder.start();
        try {
            assertThat(search().processes(home).found())
                    .containsExactly(
                            "the secret in /proc/" + process.pid() + "/cmdline",
                            "the secret in /proc/" + process.pid() + "/environ");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void a_private_key_is_found_in_another_folder_only() throws Exception {
        String line = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgc2VjcmV0IG9mIGEg";
        String pem = "-----BEGIN PRIVATE KEY-----\n" + line + "\n-----END PRIVATE KEY-----\n";
        file("tls/node.pem", pem);
        file("tls/cql.pem", pem);
        List<PlantedSecret> secrets = PlantedSecret.madeIn(home);
        assertThat(new SecretSearch(secrets).files(home).found()).isEmpty();
        Path leak = file("target.json", "{\"key\":\"" + line + "\\n\"}");
        assertThat(new SecretSearch(secrets).files(home).found())
                .containsExactlyInAnyOrder(
                        "the private key of " + home.resolve("tls/cql.pem") + " in " + leak,
                        "the private key of " + home.resolve("tls/node.pem") + " in " + leak);
    }

    @Test
    void znodes_are_read_whole_and_decompressed() throws Exception {
        byte[] large = compressed("{\"text\":\"" + SECRET + "\"}");
        try (var server = EmbeddedZooKeeper.start(home, 0);
                var session = ZooKeeperSession.connect(server, new DatacenterName("dc1"))) {
            assertThat(session).isNotNull();
            plant(
                    server,
                    Map.of(
                            "/ringmaster/dc1/records/specs/rides%2F1", SECRET.getBytes(StandardCharsets.UTF_8),
                            "/ringmaster/dc1/records/plans/dc1-1", large,
                            "/ringmaster/dc1/blobs/4711.0", Arrays.copyOf(large, 25),
                            "/ringmaster/dc1/blobs/4711.1", Arrays.copyOfRange(large, 25, large.length)));
            SecretSearch search = search();
            Znodes.read(home).forEach(search::bytes);
            assertThat(search.found())
                    .containsExactly(
                            "the secret in /ringmaster/dc1/blobs/4711",
                            "the secret in /ringmaster/dc1/records/plans/dc1-1",
                            "the secret in /ringmaster/dc1/records/specs/rides%2F1");
        }
    }

    private static void plant(EmbeddedZooKeeper server, Map<String, byte[]> znodes) throws Exception {
        var zookeeper = new ZooKeeper(server.connectString(), 10_000, event -> {});
        try {
            zookeeper.addAuthInfo("digest", ("ringmaster:" + server.secret()).getBytes(StandardCharsets.UTF_8));
            for (var each : znodes.entrySet()) {
                zookeeper.create(each.getKey(), each.getValue(), ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
            }
        } finally {
            zookeeper.close();
        }
    }

    private static byte[] compressed(String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    void what_cannot_be_read_is_no_clean_place_unless_it_is_gone() throws Exception {
        Path memory = Path.of("/proc/self/mem"); // the kernel refuses to read it from its start, also for root
        assertThat(search().files(memory).found())
                .singleElement()
                .asString()
                .startsWith("/proc/self/mem cannot be read: ");
        assertThat(search().files(home.resolve("gone")).found()).isEmpty();
    }
}
