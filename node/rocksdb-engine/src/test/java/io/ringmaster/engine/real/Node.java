package io.ringmaster.engine.real;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/** A stock Cassandra in a process of its own, set up by hand as docs/engine.md says: one jar more, and lines in its yaml. */
final class Node implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(150);

    private final Path directory;
    private final String address;
    private final String seed;
    private @Nullable Process process;
    private @Nullable CqlSession session;
    private int starts;

    Node(Path directory, String address, String seed) throws IOException {
        this(directory, address, seed, "");
    }

    /** @param memtables more configurations, as they stand in the yaml */
    Node(Path directory, String address, String seed, String memtables) throws IOException {
        this.directory = directory;
        this.address = address;
        this.seed = seed;
        Files.createDirectories(directory.resolve("tmp"));
        Files.writeString(
                directory.resolve("logback.xml"),
                """
                <configuration>
                  <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                    <encoder><pattern>%d %-5level [%thread] %logger{1} %msg%n</pattern></encoder>
                  </appender>
                  <root level="INFO"><appender-ref ref="console"/></root>
                </configuration>
                """);
        Files.writeString(directory.resolve("cassandra.yaml"), yaml(memtables));
    }

    private String yaml(String memtables) {
        return """
                cluster_name: engine
                num_tokens: 4
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                data_file_directories: [%1$s/data]
                commitlog_directory: %1$s/commitlog
                saved_caches_directory: %1$s/caches
                hints_directory: %1$s/hints
                cdc_raw_directory: %1$s/cdc
                listen_address: %2$s
                rpc_address: %2$s
                commitlog_sync: batch
                disk_failure_policy: stop
                endpoint_snitch: SimpleSnitch
                materialized_views_enabled: true
                sasi_indexes_enabled: true
                auto_snapshot: true
                memtable:
                  configurations:
                    trie:
                      class_name: TrieMemtable
                    rocksdb:
                      class_name: io.ringmaster.engine.RocksDB
                      parameters: {block_cache: 32MiB, write_buffer: 4MiB, write_buffers: 16MiB}
                %4$s
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters: [{seeds: %3$s}]
                """
                .formatted(directory, address, seed, memtables);
    }

    Node start() throws IOException, InterruptedException {
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
                "-Dcassandra.config=" + directory.resolve("cassandra.yaml").toUri(),
                "-Dcassandra.storagedir=" + directory,
                "-Dcassandra.memtable_row_overhead_computation_step=1000",
                "-Dcassandra.ring_delay_ms=5000",
                "-Dcassandra.gossip_settle_min_wait_ms=500",
                "-Dcassandra.gossip_settle_interval_ms=200",
                "-Dcassandra.superuser_setup_delay_ms=0",
                "-Dcassandra-foreground=yes"));
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), "org.apache.cassandra.service.CassandraDaemon"));
        starts++;
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        awaitClient();
        return this;
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
                    // it listens a moment later
                }
            }
            Thread.sleep(200);
        }
        throw new AssertionError("the node did not start within " + START.toSeconds() + " s:\n" + tail());
    }

    private CqlSession connect() {
        return CqlSession.builder()
                .addContactPoint(new InetSocketAddress(address, 9042))
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(60))
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(10))
                        .withBoolean(DefaultDriverOption.REQUEST_WARN_IF_SET_KEYSPACE, false)
                        .build())
                .build();
    }

    /** The end of what it logged. */
    String tail() throws IOException {
        List<String> lines = Files.readAllLines(log());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    }

    String logged() throws IOException {
        return Files.readString(log());
    }

    CqlSession session() {
        if (session == null) {
            throw new IllegalStateException("not started");
        }
        return session;
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

    @SuppressWarnings("BanJNDI") // the address is that of a process this test started
    private @Nullable Object manage(Question question) throws IOException {
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(agent()))) {
            return question.ask(connector.getMBeanServerConnection());
        } catch (JMException e) {
            throw new IOException("refused: " + e.getCause(), e);
        }
    }

    private interface Question {
        @Nullable
        Object ask(MBeanServerConnection server) throws JMException, IOException;
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

    void flush(String keyspace, String... tables) throws IOException {
        storage("forceKeyspaceFlush", new Object[] {keyspace, tables}, "java.lang.String", "[Ljava.lang.String;");
    }

    @Nullable
    Object storage(String operation, Object[] arguments, String... types) throws IOException {
        return call("org.apache.cassandra.db:type=StorageService", operation, arguments, types);
    }

    /** As kill -9 does. */
    void kill() {
        closeSession();
        if (process != null) {
            process.destroyForcibly().onExit().orTimeout(20, TimeUnit.SECONDS).join();
        }
    }

    private void closeSession() {
        if (session != null) {
            session.forceCloseAsync();
            session = null;
        }
    }

    /** Files of sstables that hold rows of a table. */
    List<Path> sstables(String keyspace, String table) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("data").resolve(keyspace))) {
            return files.filter(file -> file.toString().endsWith("-Data.db")
                            && file.getParent().getFileName().toString().startsWith(table + "-"))
                    .toList();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
