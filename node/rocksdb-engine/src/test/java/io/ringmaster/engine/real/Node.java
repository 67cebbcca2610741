package io.ringmaster.engine.real;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.ringmaster.engine.management.EngineOperationsMBean;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/** A stock Cassandra in a separate process, set up as docs/engine.md describes: one more jar, and lines in its yaml. */
final class Node implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(5);

    private final Path directory;
    private final String address;
    private final List<String> more = new ArrayList<>();
    private @Nullable Path preloaded;
    private boolean alone;
    private String datacenter = "datacenter1";
    private volatile @Nullable Process process;
    private volatile @Nullable CqlSession session;
    private int starts;

    Node(Path directory, String address, String seed) throws IOException {
        this(directory, address, seed, "");
    }

    /** @param memtables more memtable configurations, as YAML */
    Node(Path directory, String address, String seed, String memtables) throws IOException {
        this.directory = directory;
        this.address = address;
        Files.createDirectories(directory.resolve("tmp"));
        Configuration.write(directory, address, seed, memtables);
        in("datacenter1");
    }

    /** Sets the datacenter for the next start. */
    Node in(String other) throws IOException {
        datacenter = other;
        Configuration.writeDatacenter(directory, other);
        return this;
    }

    /** Sets additional JVM arguments for the next starts. */
    Node with(String... arguments) {
        more.clear();
        more.addAll(List.of(arguments));
        return this;
    }

    /** Saves the second that each start waits for gossip to settle: a node without peers has no gossip. */
    Node alone() {
        alone = true;
        return this;
    }

    /** Preloads a native library at the next starts. */
    Node preload(Path library) {
        preloaded = library;
        return this;
    }

    Node start() throws IOException, InterruptedException {
        launch();
        awaitClient();
        return this;
    }

    /** Starts the node and kills it as soon as it logs a text. */
    void startAndKillAt(String text) throws IOException, InterruptedException {
        launch();
        while (!logged().contains(text)) {
            if (process == null || !process.isAlive()) {
                throw new AssertionError("the node ended before '" + text + "':\n" + tail());
            }
            Thread.sleep(2);
        }
        kill();
    }

    private void launch() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(System.getProperty("cassandra.access").split(" ", -1)));
        command.addAll(List.of(
                "-ea",
                "-Xmx400m",
                "-Xss256k",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:MaxDirectMemorySize=128m"));
        command.addAll(List.of(
                "-Djava.security.manager=allow",
                "-Djava.io.tmpdir=" + directory.resolve("tmp"),
                "-XX:ErrorFile=" + directory.resolve("hs_err_%p.log"),
                "-Dlogback.configurationFile=" + directory.resolve("logback.xml"),
                "-Dcassandra-rackdc.properties="
                        + directory.resolve(Configuration.DATACENTER).toUri(),
                "-Dcassandra.config=" + directory.resolve("cassandra.yaml").toUri(),
                "-Dcassandra.storagedir=" + directory,
                "-Dcassandra.memtable_row_overhead_computation_step=1000",
                "-Dcassandra.ring_delay_ms=5000",
                "-Dcassandra.gossip_settle_min_wait_ms=500",
                "-Dcassandra.gossip_settle_interval_ms=200",
                "-Dcassandra.superuser_setup_delay_ms=0",
                "-Dcassandra-foreground=yes"));
        if (alone) {
            command.add("-Dcassandra.skip_wait_for_gossip_to_settle=0");
        }
        command.addAll(more);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), "org.apache.cassandra.service.CassandraDaemon"));
        starts++;
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile());
        if (preloaded == null) {
            builder.environment().put("MALLOC_ARENA_MAX", "2");
        } else {
            builder.environment().put("LD_PRELOAD", preloaded.toString());
        }
        process = builder.start();
    }

    private Path log() {
        return directory.resolve("log-" + starts);
    }

    private void awaitClient() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < deadline) {
            if (process == null || !process.isAlive()) {
                throw new AssertionError("the node ended while it started:\n" + tail());
            }
            if (Files.readString(log()).contains("Starting listening for CQL clients")) {
                try {
                    session = connect();
                    return;
                } catch (AllNodesFailedException e) {
                    // it logs this a moment before it listens
                }
            }
            Thread.sleep(200);
        }
        throw new AssertionError("the node did not start within " + START.toSeconds() + " s:\n" + tail());
    }

    /** Opens a session that has only this node as coordinator. */
    private CqlSession connect() {
        return CqlSession.builder()
                .addContactPoint(new InetSocketAddress(address, 9042))
                .withLocalDatacenter(datacenter)
                .withNodeDistanceEvaluator((node, local) ->
                        node.getEndPoint().toString().contains("/" + address + ":") ? null : NodeDistance.IGNORED)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(60))
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(10))
                        .withBoolean(DefaultDriverOption.REQUEST_WARN_IF_SET_KEYSPACE, false)
                        .withBoolean(DefaultDriverOption.REQUEST_LOG_WARNINGS, false)
                        .build())
                .build();
    }

    /** The last 60 lines of the log of the current start. */
    String tail() throws IOException {
        List<String> lines = Files.readAllLines(log());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    }

    String logged() throws IOException {
        return Files.readString(log());
    }

    CqlSession session() {
        CqlSession current = session;
        if (current == null) {
            throw new IllegalStateException("not started");
        }
        return current;
    }

    Path directory() {
        return directory;
    }

    /** Calls an operation of an MBean, as nodetool does. */
    @Nullable
    Object call(String mbean, String operation, Object[] arguments, String... types) throws IOException {
        return manage(server -> server.invoke(new ObjectName(mbean), operation, arguments, types));
    }

    @Nullable
    Object attribute(String mbean, String name) throws IOException {
        return manage(server -> server.getAttribute(new ObjectName(mbean), name));
    }

    void setAttribute(String mbean, String name, Object value) throws IOException {
        manage(server -> {
            server.setAttribute(new ObjectName(mbean), new Attribute(name, value));
            return null;
        });
    }

    @SuppressWarnings("BanJNDI") // the address is that of a process this test started
    private @Nullable Object manage(Request request) throws IOException {
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(agent()))) {
            return request.send(connector.getMBeanServerConnection());
        } catch (JMException e) {
            throw new IOException("the JMX request failed: " + e.getCause(), e);
        }
    }

    private interface Request {
        @Nullable
        Object send(MBeanServerConnection server) throws JMException, IOException;
    }

    private String agent() throws IOException {
        if (process == null) {
            throw new IllegalStateException("not started");
        }
        try {
            VirtualMachine jvm = VirtualMachine.attach(String.valueOf(process.pid()));
            String url = jvm.startLocalManagementAgent();
            jvm.detach();
            return url;
        } catch (AttachNotSupportedException e) {
            throw new IOException(e);
        }
    }

    /** The anonymous memory of the process (RssAnon). */
    long anonymousBytes() throws IOException {
        if (process == null) {
            throw new IllegalStateException("not started");
        }
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("RssAnon:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        throw new IllegalStateException("not running");
    }

    void flush(String keyspace, String... tables) throws IOException {
        storage("forceKeyspaceFlush", new Object[] {keyspace, tables}, "java.lang.String", "[Ljava.lang.String;");
    }

    @Nullable
    Object storage(String operation, Object[] arguments, String... types) throws IOException {
        return call("org.apache.cassandra.db:type=StorageService", operation, arguments, types);
    }

    /** Kills the process with SIGKILL. */
    void kill() {
        closeSession();
        if (process != null) {
            process.destroyForcibly().onExit().orTimeout(2, TimeUnit.MINUTES).join();
        }
    }

    private void closeSession() {
        CqlSession closed = session;
        if (closed != null) {
            closed.forceCloseAsync();
            session = null;
        }
    }

    /** The data files of a table's sstables. */
    List<Path> sstables(String keyspace, String table) throws IOException {
        return files(keyspace, table, "*-Data.db");
    }

    /** The files in a table's directories, without those of snapshots. */
    List<Path> files(String keyspace, String table, String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path folder : entries(directory.resolve("data").resolve(keyspace), table + "-*")) {
            found.addAll(entries(folder, glob));
        }
        return found;
    }

    /** Does not look at the files, which the node may delete in the meantime. */
    private static List<Path> entries(Path folder, String glob) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
            List<Path> found = new ArrayList<>();
            files.forEach(found::add);
            return found;
        }
    }

    /** The RocksDB directories of the snapshots with a name prefix. */
    List<Path> snapshots(String keyspace, String name) throws IOException {
        return ofSnapshots(keyspace, name, "rocksdb");
    }

    /** What matches in the snapshots with a name prefix. */
    List<Path> ofSnapshots(String keyspace, String name, String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path table : entries(directory.resolve("data").resolve(keyspace), "*")) {
            Path snapshots = table.resolve("snapshots");
            if (Files.exists(snapshots)) {
                for (Path snapshot : entries(snapshots, name + "*")) {
                    found.addAll(entries(snapshot, glob));
                }
            }
        }
        return found;
    }

    /** Returns the number of restored records. */
    long restore(String keyspace, String table, Path snapshot) throws IOException {
        return (Long) Objects.requireNonNull(call(
                EngineOperationsMBean.NAME,
                "restore",
                new Object[] {keyspace, table, snapshot.toString()},
                "java.lang.String",
                "java.lang.String",
                "java.lang.String"));
    }

    @Override
    public void close() {
        kill();
    }
}
