package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The texts are real output of Cassandra 5.0.9 and OpenJDK 17. */
class ExitReportTest {
    private static final NodeId NODE = NodeId.of("rides/dc1/node-1");

    @TempDir
    Path directory;

    private NodeFiles files;

    @BeforeEach
    void files() throws IOException {
        files = new NodeFiles(directory);
        files.create();
    }

    private Problem report(String printed, String logged, int exitCode) throws IOException {
        ExitReport report = ExitReport.fromNow(files);
        Files.writeString(files.daemonLog(), printed);
        Files.writeString(files.systemLog(), logged);
        return report.problem(NODE, 1, OptionalInt.of(exitCode));
    }

    @Test
    void anUnknownParameterIsAFaultOfTheSpecWithCassandrasMessage() throws IOException {
        String printed =
                """
                Exception (org.apache.cassandra.exceptions.ConfigurationException) encountered during startup: \
                Invalid yaml. Please remove properties [no_such_parameter] from your cassandra.yaml
                Invalid yaml. Please remove properties [no_such_parameter] from your cassandra.yaml
                """;
        Problem problem = report(printed, "", 3);
        assertThat(problem.code()).isEqualTo(ErrorCode.CONFIGURATION_REJECTED);
        assertThat(problem.field()).isEqualTo("cassandra_yaml");
        assertThat(problem.message())
                .isEqualTo("Cassandra ended with exit code 3: "
                        + "Invalid yaml. Please remove properties [no_such_parameter] from your cassandra.yaml");
        assertThat(problem.nextStep()).isNotNull();
    }

    @Test
    void aLongLogIsReadOnTheSmallStackOfAnExecutor() throws Exception {
        String logged = "Invalid or old: this line must be followed by no end of the JVM\n" + "at x\n".repeat(40_000);
        AtomicReference<Object> outcome = new AtomicReference<>("none");
        Thread small = new Thread(
                null,
                () -> {
                    try {
                        outcome.set(report("", logged, 3).message());
                    } catch (IOException | StackOverflowError e) {
                        outcome.set(e);
                    }
                },
                "supervisor",
                256 * 1024);
        small.start();
        small.join();
        assertThat(outcome.get()).isEqualTo("Cassandra ended with exit code 3");
    }

    @Test
    void aNodeWithoutSeedsNamesTheDatacenterThatItWaitsFor() throws IOException {
        String printed =
                """
                Exception (org.apache.cassandra.exceptions.ConfigurationException) encountered during startup: \
                no server gave rides/dc1/node-0 its seeds within 60 s: [http://10.0.0.1:8080: dc2 has not reported its \
                nodes]; check that the servers in /data/seed-servers run
                """;
        Problem problem = report(printed, "", 3);
        assertThat(problem.code()).isEqualTo(ErrorCode.SEEDS_UNKNOWN);
        assertThat(problem.message()).contains("dc2 has not reported its nodes");
    }

    @Test
    void aVolumeThatMissedDeletionsForTooLongIsOutdated() throws IOException {
        String logged =
                """
                ERROR [main] 2026-11-25 13:20:44,123 CassandraDaemon.java:897 - There are tables for which \
                gc_grace_seconds is older than the lastly known time Cassandra node was up based on its heartbeat \
                /volume/data/cassandra-heartbeat with timestamp 2026-11-25T13:19:29.511Z. Cassandra node will not \
                start as it would likely introduce data consistency issues (zombies etc). Please resolve these issues \
                manually, then remove the heartbeat and start the node again. Invalid tables: shop.orders,shop.carts
                """;
        Problem problem = report("", logged, 3);
        assertThat(problem.code()).isEqualTo(ErrorCode.VOLUME_OUTDATED);
        assertThat(problem.message())
                .isEqualTo("Cassandra does not start on its volume: it ran there until 2026-11-25T13:19:29.511Z, "
                        + "longer ago than gc_grace_seconds of shop.orders,shop.carts, so rows that were deleted "
                        + "meanwhile could return");
        assertThat(problem.nextStep()).hasToString("ringmaster node replace rides/dc1/node-1");
    }

    @Test
    void anOptionThatTheJvmRefusesIsAFaultOfTheSpec() throws IOException {
        Problem problem = report(
                """
                Unrecognized VM option 'UseNoSuchThing'
                Error: Could not create the Java Virtual Machine.
                Error: A fatal exception has occurred. Program will exit.
                """,
                "",
                1);
        assertThat(problem.code()).isEqualTo(ErrorCode.CONFIGURATION_REJECTED);
        assertThat(problem.field()).isEqualTo("jvm.options");
        assertThat(problem.message()).contains("Unrecognized VM option 'UseNoSuchThing'");
    }

    @Test
    void aFullDiskIsNamed() throws IOException {
        String logged =
                """
                ERROR [main] 2026-11-20 11:02:43,545 CassandraDaemon.java:887 - Exception encountered during startup
                java.io.IOException: No space left on device
                \tat java.base/x
                """;
        assertThat(report("", logged, 3).code()).isEqualTo(ErrorCode.DISK_FULL);
    }

    @Test
    void theLastErrorOfTheLogIsReported() throws IOException {
        String logged =
                """
                ERROR [main] 2026-11-20 11:02:43,545 A.java:1 - first
                INFO  [main] 2026-11-20 11:02:43,600 A.java:1 - between
                ERROR [main] 2026-11-20 11:02:43,700 B.java:2 - Fatal exception
                java.lang.IllegalStateException: the cause
                \tat java.base/x
                """;
        Problem problem = report("", logged, 100);
        assertThat(problem.message())
                .isEqualTo("Cassandra ended with exit code 100: "
                        + "Fatal exception java.lang.IllegalStateException: the cause");
        assertThat(problem.nextStep()).hasToString("ringmaster node logs rides/dc1/node-1");
        assertThat(report("Exception encountered during startup: no reason\n", "", 3)
                        .nextStep())
                .hasToString("ringmaster node logs rides/dc1/node-1");
    }

    @Test
    void aPortInUseIsNamedWhereverItsLineStandsInTheLog() throws IOException {
        String logged = "INFO  [main] x - start\n127.1.1.1:9042 is in use by another process\nINFO  [main] x - end\n";
        assertThat(report("", logged, 3).message())
                .isEqualTo("Cassandra ended with exit code 3: 127.1.1.1:9042 is in use by another process");
        assertThat(report("", "java.net.BindException: Address already in use: bind\n", 3)
                        .message())
                .isEqualTo("Cassandra ended with exit code 3: Address already in use: bind");
    }

    /** A daemon starts again only after the report; the class path alone is a line of 10,000 characters. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLogWithLongLinesIsReadQuickly() throws IOException {
        assertThat(report("", "INFO  [main] " + "x".repeat(250_000) + "\n", 3).message())
                .isEqualTo("Cassandra ended with exit code 3");
    }

    @Test
    void aKillIsReportedByItsSignalAndNotByTheLog() throws IOException {
        Problem problem =
                report("", "ERROR [x] 2026-11-20 11:02:43,545 A.java:1 - ConfigurationException: unrelated\n", 137);
        assertThat(problem.code()).isEqualTo(ErrorCode.DAEMON_FAILED);
        assertThat(problem.message()).isEqualTo("Cassandra was ended by signal 9");
    }

    @Test
    void theLogOfAnEarlierRunDoesNotCount() throws IOException {
        Files.writeString(files.systemLog(), "ERROR [x] 2026-11-20 11:02:43,545 A.java:1 - No space left on device\n");
        ExitReport report = ExitReport.fromNow(files);
        assertThat(report.problem(NODE, 1, OptionalInt.of(1)).message()).isEqualTo("Cassandra ended with exit code 1");
    }

    @Test
    void aCrashOfTheJvmPointsToItsReport() throws IOException {
        Files.writeString(files.logs().resolve("hs_err_pid1.log"), "#");
        assertThat(report("", "", 134).message()).contains("crashed").contains("hs_err_pid1.log");
    }

    /** What the JVM prints; Cassandra would close its output without -Dcassandra-foreground. */
    @Test
    void aHeapThatIsFullIsNamedWithItsDump() throws IOException {
        String printed =
                """
                java.lang.OutOfMemoryError: Java heap space
                Dumping heap to /volume/logs/java_pid1.hprof ...
                Heap dump file created [282345678 bytes in 2.345 secs]
                Terminating due to java.lang.OutOfMemoryError: Java heap space
                """;
        Problem problem = report(printed, "", 3);
        assertThat(problem.field()).isEqualTo("heap");
        assertThat(problem.message()).isEqualTo("Cassandra ended with exit code 3: OutOfMemoryError: Java heap space");

        Path dump = Files.createFile(files.logs().resolve("java_pid1.hprof"));
        assertThat(report("", "", 3).message())
                .isEqualTo("Cassandra ended with exit code 3, its heap is in " + dump + ": OutOfMemoryError");
        Files.setLastModifiedTime(dump, FileTime.from(Instant.now().minusSeconds(3600)));
        assertThat(report("", "", 3).message()).isEqualTo("Cassandra ended with exit code 3");
    }

    @Test
    void directMemoryIsNotTheHeapWhichCassandraFillsOnPurpose() throws IOException {
        String logged =
                """
                ERROR [Native-Transport-Requests-3] 2026-11-28 20:11:02,120 JVMStabilityInspector.java:201 - Force heap \
                space OutOfMemoryError in the presence of
                java.lang.OutOfMemoryError: Cannot reserve 2000084 bytes of direct buffer memory (allocated: 67083041, \
                limit: 67108864)
                \tat java.base/java.nio.Bits.reserveMemory(Bits.java:178)
                """;
        Problem problem = report("Terminating due to java.lang.OutOfMemoryError: Java heap space\n", logged, 3);
        assertThat(problem.field()).isEqualTo("jvm.options");
        assertThat(problem.message()).endsWith("direct buffer memory (allocated: 67083041, limit: 67108864)");
        assertThat(problem.nextStep())
                .asString()
                .contains("-XX:MaxDirectMemorySize")
                .contains("not the heap");
    }
}
