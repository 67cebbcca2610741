package io.ringmaster.backup.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.ringmaster.backup.location.Location;
import io.ringmaster.backup.location.LocationDirectory;
import io.ringmaster.backup.location.LocationException;
import io.ringmaster.backup.store.StoreException.Reason;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store with a certificate that no JDK knows. */
class S3TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path directory;

    private HttpsServer server;

    @BeforeEach
    void start() throws Exception {
        Path keys = directory.resolve("keys");
        keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=store", "-ext", "san=ip:127.0.0.1", "-keystore", keys);
        keytool("-exportcert", "-rfc", "-file", directory.resolve("ca.pem"), "-keystore", keys);
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD);
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            byte[] answer = MisbehavingEndpoint.NO_KEYS.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void trusts_the_certificates_of_the_location() throws Exception {
        try (BackupStore store = StoreOpener.open(location("ca_file: ca.pem\n"))) {
            assertThat(store.list("", null, 1)).isEmpty();
        }
    }

    @Test
    void without_them_says_what_is_missing() throws Exception {
        try (BackupStore store = StoreOpener.open(location(""))) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.list("", null, 1))
                    .returns(Reason.REFUSED, StoreException::reason)
                    .withMessageContaining("its certificate is not trusted -> ca_file");
        }
    }

    @Test
    void a_file_without_certificates_is_named() throws Exception {
        Location location = location("ca_file: main.yaml\n");
        assertThatExceptionOfType(LocationException.class)
                .isThrownBy(() -> StoreOpener.open(location).close())
                .withMessageContaining("main.yaml: ");
    }

    private Location location(String more) throws Exception {
        URI url = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
        TestLocations.location(directory, url, "bucket", "AKEY", "sesame");
        Files.writeString(directory.resolve("main.yaml"), more, StandardOpenOption.APPEND);
        return new LocationDirectory(directory).location("main");
    }

    private static void keytool(Object... arguments) throws Exception {
        var command = new ArrayList<String>();
        command.add(System.getProperty("java.home") + "/bin/keytool");
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", new String(PASSWORD), "-alias", "store"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
