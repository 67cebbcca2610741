package io.ringmaster.server;

import io.ringmaster.host.FreePorts;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.config.TlsSettings;
import io.ringmaster.server.fake.FakePool;
import io.ringmaster.server.fake.FakeRing;
import io.ringmaster.server.http.ApiRoute;
import io.ringmaster.store.zookeeper.EmbeddedZooKeeper;
import io.ringmaster.store.zookeeper.ZooKeeperLeadership;
import io.ringmaster.store.zookeeper.ZooKeeperSession;
import io.ringmaster.store.zookeeper.ZooKeeperStore;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A datacenter for tests: real servers and a real ZooKeeper with fake machines and nodes. */
public final class TestDatacenter implements AutoCloseable {
    public static final String TOKEN = "0123456789abcdef-test";
    public static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long GIB = 1L << 30;

    private final DatacenterName name;
    private final Path directory;
    private final EmbeddedZooKeeper zookeeper;
    private final FakePool pool;
    private final Map<Integer, Server> servers = new LinkedHashMap<>();
    private final int port;
    private final Map<DatacenterName, List<URI>> peers;
    private final boolean openReads;
    private volatile @Nullable Problem storeTrouble;
    private boolean tls;

    private TestDatacenter(
            int number,
            int port,
            Path directory,
            FakeRing ring,
            Map<DatacenterName, List<URI>> peers,
            boolean openReads)
            throws IOException {
        this.name = name(number);
        this.port = port;
        this.directory = directory.resolve(name.value());
        this.peers = peers;
        this.openReads = openReads;
        this.zookeeper = EmbeddedZooKeeper.start(this.directory.resolve("zookeeper"), 0);
        this.pool = new FakePool(machines(number), ring);
    }

    /** One datacenter, {@code dc1}, whose server leads. */
    public static TestDatacenter alone(Path directory) throws IOException {
        return alone(directory, true);
    }

    /** @param openReads reads need no token */
    public static TestDatacenter alone(Path directory, boolean openReads) throws IOException {
        var datacenter = new TestDatacenter(1, FreePorts.next(), directory, new FakeRing(), Map.of(), openReads);
        datacenter.startServer();
        datacenter.awaitLeader();
        return datacenter;
    }

    /** One datacenter, {@code dc1}, whose servers listen by TLS. */
    public static TestDatacenter withTls(Path directory) throws IOException {
        var datacenter = new TestDatacenter(1, FreePorts.next(), directory, new FakeRing(), Map.of(), false);
        datacenter.tls = true;
        datacenter.startServer();
        datacenter.awaitLeader();
        return datacenter;
    }

    /** {@code dc1} and {@code dc2}, each configured as a peer of the other. */
    public static List<TestDatacenter> two(Path directory) throws IOException {
        return two(directory, true);
    }

    /** @param openReads reads need no token */
    public static List<TestDatacenter> two(Path directory, boolean openReads) throws IOException {
        var ports = List.of(FreePorts.next(), FreePorts.next());
        var ring = new FakeRing();
        var both = new ArrayList<TestDatacenter>();
        for (int i = 0; i < 2; i++) {
            var peers = Map.of(name(2 - i), List.of(url(ports.get(1 - i))));
            both.add(new TestDatacenter(i + 1, ports.get(i), directory, ring, peers, openReads));
        }
        both.forEach(TestDatacenter::startServer);
        both.forEach(TestDatacenter::awaitLeader);
        return both;
    }

    public FakePool pool() {
        return pool;
    }

    public DatacenterName name() {
        return name;
    }

    public URI url() {
        return urlAt(port);
    }

    public RingmasterClient client() {
        return client(url());
    }

    /** A client of one of its servers, with the token and its CA. */
    public RingmasterClient client(URI url) {
        return new RingmasterClient(url, TOKEN, Duration.ofSeconds(20), tls ? trust() : null);
    }

    private SSLContext trust() {
        try {
            return TlsContexts.of(null, new LiveTrust(Pem.certificatesIn(directory.resolve("trust"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static RingmasterClient client(URI url, @Nullable String token) {
        return new RingmasterClient(url, token, Duration.ofSeconds(20));
    }

    public List<ApiRoute> routes() {
        return servers.get(port).routes();
    }

    /** All that the store holds. */
    public Collection<StoredRecord> records() {
        try (var session = ZooKeeperSession.connect(zookeeper, name)) {
            return new ZooKeeperStore(session).load();
        }
    }

    /** The server under {@link #url}. */
    public void startServer() {
        startServer(port);
    }

    /** Starts another server of the same datacenter and returns its URL. */
    public URI startAnotherServer() throws IOException {
        int another = FreePorts.next();
        startServer(another);
        return urlAt(another);
    }

    public void stopServer() {
        stopServer(url());
    }

    public void stopServer(URI url) {
        Server server = servers.remove(url.getPort());
        if (server != null) {
            server.close();
        }
    }

    /** Ends all executors: nodes neither answer nor do anything from now on. */
    public void stopExecutors() {
        pool.stopExecutors();
    }

    /** What servers know of a failure of their store; null for none. */
    public void storeTrouble(@Nullable Problem trouble) {
        storeTrouble = trouble;
    }

    /** Takes the store away from all servers. */
    public void stopZooKeeper() {
        zookeeper.close();
    }

    public void awaitLeader() {
        Eventually.is(() -> client().health().poolSeen());
    }

    public Path directory() {
        return directory;
    }

    @Override
    public void close() {
        List.copyOf(servers.values()).forEach(Server::close);
        pool.stopExecutors();
        zookeeper.close();
    }

    private void startServer(int listen) {
        var session = ZooKeeperSession.connect(zookeeper, name);
        var config = new ServerConfig(
                name,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), listen),
                urlAt(listen),
                List.of(url(listen)),
                directory,
                directory.resolve("token"),
                peers,
                null,
                new ServerConfig.ConfiguredPool("fake", () -> pool),
                1,
                directory.resolve("locations"),
                directory.resolve("passwords"),
                List.of("dc.example.com"),
                openReads,
                tls ? tlsSettings() : null);
        var adapters = new Adapters(
                new ZooKeeperStore(session),
                new ZooKeeperLeadership(session, urlAt(listen).toString()),
                config.pool().opener(),
                () -> Optional.ofNullable(storeTrouble),
                List.of(session));
        servers.put(listen, Server.start(config, new Secret(TOKEN), adapters, Instant::now));
    }

    /** Three machines in three racks, with addresses that no other process uses, and no other test of this one. */
    private static List<Machine> machines(int number) {
        long process = ProcessHandle.current().pid();
        String network = "127." + (128 + process % 120) + "." + (number + 2 * (process / 120 % 120));
        return IntStream.rangeClosed(1, 3)
                .mapToObj(m -> new Machine(
                        new MachineName("machine-" + m),
                        new RackName("r" + m),
                        network + "." + m,
                        20_000,
                        32 * GIB,
                        200 * GIB,
                        new PortRange(7000, 9999),
                        false))
                .toList();
    }

    private static DatacenterName name(int number) {
        return new DatacenterName("dc" + number);
    }

    private TlsSettings tlsSettings() {
        var seeds = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
        return new TlsSettings(seeds, Duration.ofDays(1), directory.resolve("trust"));
    }

    private URI urlAt(int listen) {
        return tls ? URI.create("https://127.0.0.1:" + listen) : url(listen);
    }

    private static URI url(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }
}
