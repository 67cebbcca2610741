package io.ringmaster.pool.local.binaries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real Cassandra, from exactly the jars that are brought. */
@Tag("cassandra")
@Timeout(300)
class CassandraStartsTest {
    private static final long START_LIMIT_NS = TimeUnit.SECONDS.toNanos(180);
    private static final String OPEN =
            "java.base/java.io java.base/java.lang java.base/java.lang.module java.base/java.lang.reflect java.base/java.math"
                    + " java.base/java.net java.base/java.nio java.base/java.util java.base/java.util.concurrent"
                    + " java.base/java.util.concurrent.atomic java.base/jdk.internal.loader java.base/jdk.internal.math"
                    + " java.base/jdk.internal.module java.base/jdk.internal.ref java.base/jdk.internal.reflect"
                    + " java.base/jdk.internal.util.jar java.base/sun.nio.ch jdk.management/com.sun.management.internal";
    private static final String EXPORTED =
            "java.base/java.lang.ref java.base/jdk.internal.misc java.base/sun.nio.ch jdk.unsupported/sun.misc"
                    + " java.management.rmi/com.sun.jmx.remote.internal.rmi java.rmi/sun.rmi.registry"
                    + " java.rmi/sun.rmi.server java.rmi/sun.rmi.transport.tcp java.sql/java.sql";

    @TempDir
    Path directory;

    private List<String> command(Path jars) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(JavaHomes.onThisComputer().require(JavaHomes.WANTED).java().toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-Djava.security.manager=allow");
        command.add("-Dcassandra.config=" + config().toUri());
        command.add("-Dcassandra.storagedir=" + directory);
        command.add("-Dcassandra.skip_wait_for_gossip_to_settle=0");
        // Otherwise it closes its output, the log of this test, once it is set up.
        command.add("-Dcassandra-foreground=yes");
        Stream.of(OPEN.split(" ", -1)).forEach(p -> command.addAll(List.of("--add-opens", p + "=ALL-UNNAMED")));
        Stream.of(EXPORTED.split(" ", -1)).forEach(p -> command.addAll(List.of("--add-exports", p + "=ALL-UNNAMED")));
        command.addAll(List.of("-cp", jars + "/*", "org.apache.cassandra.service.CassandraDaemon"));
        return command;
    }

    private Path config() throws IOException {
        return Files.writeString(
                directory.resolve("cassandra.yaml"),
                """
                cluster_name: jars
                listen_address: 127.1.9.77
                rpc_address: 127.1.9.77
                initial_token: 0
                num_tokens: 1
                start_native_transport: true
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                endpoint_snitch: SimpleSnitch
                commitlog_sync: periodic
                commitlog_sync_period: 10000ms
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters: [{seeds: 127.1.9.77}]
                """);
    }

    @Test
    void cassandra_opens_its_cql_port_with_native_transport_and_one_logging_binding() throws Exception {
        Path jars = new Binaries(directory.resolve("cache"), null).jars("5.0.9", progress -> {});
        Path log = directory.resolve("out.log");
        Process cassandra = new ProcessBuilder(command(jars))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            long end = System.nanoTime() + START_LIMIT_NS;
            while (!Files.readString(log).contains("Starting listening for CQL clients")) {
                String written = Files.readString(log);
                assertThat(cassandra.isAlive() && System.nanoTime() < end)
                        .as("running; its last words:\n%s", written.substring(Math.max(0, written.length() - 4_000)))
                        .isTrue();
                Thread.sleep(100);
            }
            assertThat(Files.readString(log))
                    .contains("Using Netty Version", "Netty using native Epoll event loop")
                    .contains("Starting listening for CQL clients on /127.1.9.77:9042")
                    .doesNotContain("multiple SLF4J", "NoClassDefFoundError", "UnsatisfiedLinkError", "JNA not found");
        } finally {
            cassandra.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
        }
    }
}
