package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that asks for its seeds by https. */
@Timeout(60)
class SeedsByTlsTest {
    private static final String SEEDS = "{\"isSeed\":true,\"seeds\":[\"127.1.1.1:7000\"]}";
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    Path directory;

    private Path authority;
    private SSLContext server;

    @BeforeEach
    void a_server_with_a_certificate() throws Exception {
        authority = directory.resolve("servers.pem");
        server = certified("server", "ip:127.0.0.1", authority);
    }

    /** The JDK has no API that makes a certificate. */
    private SSLContext certified(String name, String host, Path pem) throws Exception {
        Path store = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + host,
                        "-alias",
                        name,
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        byte[] certificate = keys.getCertificate(name).getEncoded();
        Files.writeString(
                pem,
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(certificate)
                        + "\n-----END CERTIFICATE-----\n");
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private List<String> seeds(String... lines) throws Exception {
        Path servers = Files.write(directory.resolve("seed-servers"), List.of(lines));
        return new SeedProvider(Map.of(
                        "node", "rides/dc1/node-1",
                        "endpoint", "127.1.1.2:7000",
                        "servers_file", servers.toString(),
                        "cache_file", directory.resolve("seeds.json").toString(),
                        "wait_seconds", "0"))
                .getSeeds().stream().map(Object::toString).toList();
    }

    @Test
    void it_trusts_the_authorities_that_the_file_names() throws Exception {
        try (ServerStub stub = new ServerStub(SEEDS, server)) {
            assertThat(seeds("trust " + authority, stub.url())).containsExactly("/127.1.1.1:7000", "/127.1.1.2:7000");
        }
    }

    @Test
    void a_server_of_another_authority_or_name_is_refused() throws Exception {
        SSLContext elsewhere = certified("elsewhere", "ip:127.0.0.9", directory.resolve("elsewhere.pem"));
        try (ServerStub stub = new ServerStub(SEEDS, elsewhere)) {
            assertThatThrownBy(() -> seeds("trust " + authority, stub.url()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("SSLHandshakeException");
            assertThatThrownBy(() -> seeds("trust " + directory.resolve("elsewhere.pem"), stub.url()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("127.0.0.1");
            assertThat(stub.requests).isEmpty();
        }
    }

    @Test
    void without_authorities_the_error_says_why_and_what_to_do() throws Exception {
        try (ServerStub stub = new ServerStub(SEEDS, server)) {
            assertThatThrownBy(() -> seeds(stub.url()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("launched without TLS")
                    .hasMessageContaining("executor.pid");
            assertThatThrownBy(() -> seeds("trust " + directory.resolve("gone.pem"), stub.url()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("gone.pem");
        }
    }
}
