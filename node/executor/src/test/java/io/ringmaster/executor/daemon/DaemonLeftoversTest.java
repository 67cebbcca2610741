package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.SmallFileSystem;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.node.NodePorts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonLeftoversTest {
    private static final int MEBIBYTE = 1 << 20;
    private final Instant now = Instant.now();

    @TempDir
    Path directory;

    private NodeFiles files;

    @BeforeEach
    void files() throws IOException {
        files = new NodeFiles(directory);
        files.create();
    }

    private void make(Path file, int hoursOld) throws IOException {
        Files.writeString(file, "content");
        Files.setLastModifiedTime(file, FileTime.from(now.minusSeconds(hoursOld * 3600L)));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void one_heap_dump_and_five_reports_of_crashes_stay_and_no_temporary_file() throws IOException {
        for (int i = 1; i <= 7; i++) {
            make(files.logs().resolve("java_pid" + i + ".hprof"), i);
            make(files.logs().resolve("hs_err_pid" + i + ".log"), i);
        }
        make(files.volume().resolve("replay_pid3.log"), 1);
        for (Path log : List.of(files.systemLog(), files.daemonLog(), files.gcLog())) {
            make(log, 9);
        }
        Files.writeString(
                Files.createDirectories(files.temporary().resolve("a/b")).resolve("library.so"), "x");
        Files.createSymbolicLink(files.temporary().resolve("link"), files.logs());
        DaemonLeftovers.remove(files);
        assertThat(names(files.logs()))
                .containsExactly(
                        "daemon.log",
                        "gc.log",
                        "hs_err_pid1.log",
                        "hs_err_pid2.log",
                        "hs_err_pid3.log",
                        "hs_err_pid4.log",
                        "hs_err_pid5.log",
                        "java_pid1.hprof",
                        "system.log");
        assertThat(files.temporary()).isEmptyDirectory();
        assertThat(files.volume().resolve("replay_pid3.log")).doesNotExist();
    }

    @Test
    void a_volume_without_folders_has_nothing_to_remove() {
        NodeFiles none = new NodeFiles(directory.resolve("none"));
        DaemonLeftovers.remove(none);
        assertThat(none.volume()).doesNotExist();
    }

    @Test
    void a_daemon_dumps_its_heap_only_where_twice_the_heap_is_free() throws Exception {
        Configuration full = new Configuration(
                Map.of(),
                List.of(),
                List.of("java", "-XX:+HeapDumpOnOutOfMemoryError", "-XX:+HeapDumpOnOutOfMemoryError", "Main"),
                Map.of(),
                "print");
        try (SmallFileSystem small = SmallFileSystem.at(files.volume(), 8)) {
            assertThat(DaemonLeftovers.withoutDumpIfItHasNoRoom(full, files, 4 * MEBIBYTE))
                    .isEqualTo(full);
            Files.write(small.folder().resolve("data"), new byte[2 * MEBIBYTE]);
            Configuration without = DaemonLeftovers.withoutDumpIfItHasNoRoom(full, files, 4 * MEBIBYTE);
            assertThat(without.command())
                    .as("what the spec asks for comes later")
                    .containsExactly(
                            "java", "-XX:-HeapDumpOnOutOfMemoryError", "-XX:+HeapDumpOnOutOfMemoryError", "Main");
            assertThat(without.fingerprint()).isEqualTo("print");
            assertThat(DaemonLeftovers.withoutDumpIfItHasNoRoom(full, files, 3 * MEBIBYTE))
                    .isEqualTo(full);
        }
    }

    @Test
    void a_full_disk_names_the_heap_dump_that_may_go() throws Exception {
        try (SmallFileSystem small = SmallFileSystem.at(files.volume(), 8)) {
            files.create();
            Path dump = files.logs().resolve("java_pid7.hprof");
            assertThat(dump).startsWithRaw(small.folder());
            try (RandomAccessFile file = new RandomAccessFile(dump.toFile(), "rw")) {
                file.setLength(3 * MEBIBYTE + 1);
            }
            var target =
                    TestTargets.first().at(new NodePorts(0, 0, 0, 0), List.of()).target();
            assertThat(Preflight.problem(target, NodeAddress.of("127.0.0.1", null), files, DaemonState.none()))
                    .hasValueSatisfying(problem -> {
                        assertThat(problem.code()).isEqualTo(ErrorCode.DISK_FULL);
                        assertThat(problem.nextStep()).asString().endsWith("or the heap dump " + dump + " (4 MiB)");
                    });
        }
    }
}
