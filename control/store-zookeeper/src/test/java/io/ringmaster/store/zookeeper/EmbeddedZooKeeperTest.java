package io.ringmaster.store.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.ports.SampleRecords;
import io.ringmaster.ports.StoreUnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class EmbeddedZooKeeperTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");

    @TempDir
    Path directory;

    private EmbeddedZooKeeper start(int port) throws IOException {
        return EmbeddedZooKeeper.start(directory.resolve("zookeeper"), port);
    }

    private static Change cluster(String name) {
        return new Change.Put(SampleRecords.cluster(name, 1));
    }

    @Test
    void its_port_and_secret_are_in_files_for_this_user_only() throws IOException {
        try (EmbeddedZooKeeper server = start(0)) {
            Path files = directory.resolve("zookeeper");
            assertThat(files.resolve("client.port")).hasContent(Integer.toString(server.port()));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.resolve("secret"))))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void it_listens_on_loopback_only() throws IOException {
        var other = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(a -> !a.isLoopbackAddress())
                .findFirst();
        Assumptions.assumeTrue(other.isPresent(), "skipped: this computer has no address but loopback");
        try (EmbeddedZooKeeper server = start(0);
                Socket socket = new Socket()) {
            assertThatThrownBy(() -> socket.connect(new InetSocketAddress(other.get(), server.port()), 2_000))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void records_and_secret_survive_a_restart() throws IOException {
        String secret;
        try (EmbeddedZooKeeper server = start(0);
                ZooKeeperSession session = ZooKeeperSession.connect(server, DC1);
                ZooKeeperStore store = new ZooKeeperStore(session)) {
            secret = server.secret();
            store.commit(Sessions.elect(session), List.of(cluster("rides")));
        }
        try (EmbeddedZooKeeper server = start(0);
                ZooKeeperSession session = ZooKeeperSession.connect(server, DC1);
                ZooKeeperStore store = new ZooKeeperStore(session)) {
            assertThat(server.secret()).isEqualTo(secret);
            assertThat(store.load()).hasSize(1);
        }
    }

    @Test
    void a_session_outlives_a_restart_of_the_server() throws IOException {
        EmbeddedZooKeeper first = start(0);
        int port = first.port();
        try (ZooKeeperSession session = ZooKeeperSession.connect(first, DC1);
                ZooKeeperStore store = new ZooKeeperStore(session)) {
            long epoch = Sessions.elect(session);
            store.commit(epoch, List.of(cluster("rides")));
            first.close();
            assertThatThrownBy(() -> store.commit(epoch, List.of(cluster("trips"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + port);
            try (EmbeddedZooKeeper second = start(port)) {
                assertThat(second.trouble()).isEmpty();
                store.commit(epoch, List.of(cluster("trips")));
                assertThat(store.load()).hasSize(2);
            }
        }
    }

    @Test
    void a_client_without_the_secret_can_neither_read_nor_write() throws IOException {
        try (EmbeddedZooKeeper server = start(0);
                ZooKeeperSession session = ZooKeeperSession.connect(server, DC1)) {
            assertThat(session.newestEpoch()).isZero();
            for (String secret : new String[] {null, "guessed"}) {
                assertThatThrownBy(() -> ZooKeeperSession.connect(server.connectString(), DC1, secret)
                                .close())
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("does not accept this server's secret");
            }
        }
    }

    @Test
    void two_servers_cannot_use_one_directory() throws IOException {
        try (EmbeddedZooKeeper server = start(0)) {
            assertThat(server.trouble()).isEmpty();
            assertThatThrownBy(() -> start(0).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another server uses")
                    .hasMessageContaining(directory.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0123456789abcdef"})
    void a_damaged_secret_is_named(String left) throws IOException {
        start(0).close();
        Path secret = directory.resolve("zookeeper/secret");
        Files.writeString(secret, left);
        assertThatThrownBy(() -> start(0).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(secret + " is damaged")
                .hasMessageContaining("-> put the file back");
        assertThat(secret).hasContent(left);
    }

    @Test
    void a_port_in_use_is_named() throws IOException {
        try (EmbeddedZooKeeper server = start(0)) {
            assertThatThrownBy(() -> EmbeddedZooKeeper.start(directory.resolve("other"), server.port())
                            .close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + server.port() + " is taken");
        }
    }

    @Test
    void a_server_that_does_not_run_is_a_clear_error() throws IOException {
        EmbeddedZooKeeper gone = start(0);
        gone.close();
        assertThatThrownBy(() ->
                        ZooKeeperSession.connect(gone.connectString(), DC1, "x").close())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("ZooKeeper at 127.0.0.1:")
                .hasMessageContaining("did not answer");
    }
}
