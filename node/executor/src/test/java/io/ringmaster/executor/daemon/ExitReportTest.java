package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The texts are real output of Cassandra 5.0.9 and OpenJDK 17. */
class ExitReportTest {
    private static final NodeId NODE = NodeId.of("rides/dc1/node-1");
    private static final int UNKNOWN = -1;
    private static final String TIME = "2026-11-20 11:02:43,545 ";
    private static final String INFO = "INFO  [main] " + TIME + "A.java:1 - ";
    private static final String WARN = "WARN  [main] " + TIME + "A.java:1 - ";
    private static final String ERROR = "ERROR [main] " + TIME + "A.java:1 - ";
    private static final String ENDS = "ERROR [main] " + TIME + "CassandraDaemon.java:897 - ";

    @TempDir
    Path directory;

    private NodeFiles files;

    @BeforeEach
    void files() throws IOException {
        files = new NodeFiles(directory);
        files.create();
    }

    private Problem report(String printed, String logged, int exitCode) throws IOException {
        ExitReport report = new ExitReport(files, RunMark.now(files));
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
        String logged = INFO + "start\n" + ENDS + "127.1.1.1:9042 is in use by another process\n" + INFO + "end\n";
        assertThat(report("", logged, 3).message())
                .isEqualTo("Cassandra ended with exit code 3: 127.1.1.1:9042 is in use by another process");
        assertThat(report("java.net.BindException: Address already in use: bind\n", "", 3)
                        .message())
                .isEqualTo("Cassandra ended with exit code 3: Address already in use: bind");
    }

    /** A daemon starts again only after the report; the class path alone is a line of 10,000 characters. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLogWithLongLinesIsReadQuickly() throws IOException {
        assertThat(report("", ENDS + "x".repeat(250_000) + "\n", 1).message())
                .hasSize("Cassandra ended with exit code 1: ".length() + 250_000);
    }

    /** A text of what was logged, and what the report may make of it. */
    private enum Case {
        DISK_LONG_AGO(ERROR + "No space left on device\n", "", "", 137, "Cassandra was ended by signal 9 (KILL)"),
        DISK_IN_THIS_RUN("", "", ENDS + "No space left on device\n", 137, "Cassandra was ended by signal 9 (KILL)"),
        TERM_AFTER_ERRORS(
                "", "", ERROR + "ConfigurationException: unrelated\n", 143, "Cassandra was ended by signal 15 (TERM)"),
        RUN_BEFORE(ENDS + "No space left on device\n", "", "", 1, "Cassandra ended with exit code 1"),
        STATEMENT_AT_WARN(
                "",
                "",
                WARN + "SELECT 'ConfigurationException: x'\nOutOfMemoryError: Java heap space\n",
                1,
                "Cassandra ended with exit code 1"),
        STATEMENT_IN_AN_ERROR(
                "",
                "",
                ERROR + "Unexpected exception: INSERT 'No space left on device'\n",
                1,
                "Cassandra ended with exit code 1: Unexpected exception: INSERT 'No space left on device'"),
        ERRORS_AFTER_THE_LAST_WORD(
                "",
                "",
                ENDS + "Exception encountered during startup\njava.lang.RuntimeException: why\n\tat x\n"
                        + "Caused by: java.io.IOException: No space left on device\n" + ERROR + "Cannot flush\n",
                3,
                "Cassandra ended with exit code 3: No space left on device"),
        WARNING_OF_THE_JVM(
                "",
                """
                [0.5s][warning][logging] gc.log: No space left on device
                OpenJDK 64-Bit Server VM warning: No space left on device
                """,
                "",
                1,
                "Cassandra ended with exit code 1"),
        SILENT("", "", INFO + "all is well\n", 3, "Cassandra ended with exit code 3: OutOfMemoryError"),
        OF_ANOTHER_EXECUTOR(
                ENDS + "No space left on device\n",
                "",
                ERROR + "No space left on device\n",
                UNKNOWN,
                "Cassandra ended, and its exit code is not known, because an earlier executor started it"),
        OF_ANOTHER_EXECUTOR_WITH_LAST_WORD(
                "",
                "Terminating due to java.lang.OutOfMemoryError: Java heap space\n",
                "",
                UNKNOWN,
                "Cassandra ended, and its exit code is not known, because an earlier executor started it:"
                        + " OutOfMemoryError: Java heap space");

        private final String before;
        private final String printed;
        private final String logged;
        private final int exitCode;
        private final String message;

        Case(String before, String printed, String logged, int exitCode, String message) {
            this.before = before;
            this.printed = printed;
            this.logged = logged;
            this.exitCode = exitCode;
            this.message = message;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEndIsExplainedByItsSignalOrByTheLastWordOfItsRun(Case ended) throws IOException {
        Files.writeString(files.systemLog(), ended.before);
        DaemonState state = DaemonState.none().withRun(RunMark.now(files));
        Files.writeString(files.daemonLog(), ended.printed);
        Files.writeString(files.systemLog(), ended.logged, StandardOpenOption.APPEND);
        state.write(files);
        ExitReport report = ExitReport.ofAdopted(files, DaemonState.read(files).orElseThrow());
        OptionalInt code = ended.exitCode == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(ended.exitCode);
        assertThat(report.problem(NODE, 1, code).message()).isEqualTo(ended.message);
    }

    @Test
    void aDaemonWithoutARecordOfItsStartIsExplainedByWhatIsLoggedFromItsAdoptionOn() throws IOException {
        Files.writeString(files.systemLog(), ENDS + "No space left on device\n");
        ExitReport report = ExitReport.ofAdopted(files, DaemonState.none());
        assertThat(report.problem(NODE, 1, OptionalInt.empty()).code()).isEqualTo(ErrorCode.DAEMON_FAILED);
        Files.writeString(files.systemLog(), ENDS + "No space left on device\n", StandardOpenOption.APPEND);
        assertThat(report.problem(NODE, 1, OptionalInt.empty()).code()).isEqualTo(ErrorCode.DISK_FULL);
    }

    /** As Logback does at 20 MB. */
    private void rotate() throws IOException {
        Path first = files.logs().resolve("system.log.1");
        if (Files.exists(first)) {
            Files.move(first, files.logs().resolve("system.log.2"));
        }
        Files.move(files.systemLog(), first);
    }

    @Test
    void theLastWordIsFoundInALogThatWasRotatedAndNoOlderOne() throws IOException {
        Files.writeString(files.systemLog(), ENDS + "No space left on device\n");
        ExitReport report = new ExitReport(files, RunMark.now(files));
        rotate();
        Files.writeString(files.systemLog(), INFO + "after the rotation\n");
        assertThat(report.problem(NODE, 1, OptionalInt.of(1)).message()).isEqualTo("Cassandra ended with exit code 1");

        Files.writeString(
                files.logs().resolve("system.log.1"), ENDS + "Address already in use\n", StandardOpenOption.APPEND);
        assertThat(report.problem(NODE, 1, OptionalInt.of(1)).message())
                .isEqualTo("Cassandra ended with exit code 1: Address already in use");

        rotate();
        Files.writeString(files.systemLog(), ENDS + "there is no reason\n");
        assertThat(report.problem(NODE, 1, OptionalInt.of(1)).message())
                .isEqualTo("Cassandra ended with exit code 1: there is no reason");
    }

    /** The supervisor has a small stack: one frame for each of these lines would not fit. */
    @Test
    void anOptionThatIsRefusedAfterManyLinesIsFoundOnASmallStack() throws Exception {
        Files.writeString(
                files.daemonLog(),
                "x must be y\n" + "a line\n".repeat(30_000) + "Error: Could not create the Java Virtual Machine.\n");
        ExitReport report = new ExitReport(files, RunMark.now(files));
        AtomicReference<Problem> found = new AtomicReference<>();
        Runnable look = () -> found.set(report.problem(NODE, 1, OptionalInt.of(1)));
        Thread small = new Thread(null, look, "small stack", 256 * 1024);
        small.start();
        small.join();
        assertThat(found.get()).isNotNull().extracting(Problem::field).isEqualTo("jvm.options");
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
                .isEqualTo("Cassandra ended with exit code 3, its heap is in " + dump + " (0 MiB): OutOfMemoryError");
        Files.setLastModifiedTime(dump, FileTime.from(Instant.now().minusSeconds(3600)));
        assertThat(report("", "", 3).message()).isEqualTo("Cassandra ended with exit code 3: OutOfMemoryError");
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
