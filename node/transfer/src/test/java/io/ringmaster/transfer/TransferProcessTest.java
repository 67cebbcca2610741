package io.ringmaster.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.store.FolderStore;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTask.Kind;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.TaskStatus.State;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real program as the executor starts it, with a folder as its store. */
class TransferProcessTest {
    private static final BackupId BACKUP = new BackupId("20261124T040000Z-0001");
    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    private TestNode node;
    private Path folder;

    @BeforeEach
    void writeFiles() throws Exception {
        node = TestNode.cluster(directory, 1).get(0);
        node.sstable(1, 17 * MIB);
        node.sstable(2, 5000);
        node.engineFile("CURRENT", 16);
        folder = Files.createDirectories(directory.resolve("folder"));
        FolderStore.mark(folder);
        Path locations = Files.createDirectories(node.volume.resolve("locations"));
        Files.writeString(
                locations.resolve("main.yaml"),
                "url: " + folder.toUri().toString().replaceAll("/$", "") + "\n");
        Files.setPosixFilePermissions(locations.resolve("main.yaml"), PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void killed_later_and_later_it_ends_with_the_whole_backup() throws Exception {
        Map<String, byte[]> files = node.files();
        node.takeSnapshot(BACKUP);
        int kills = 0;
        TaskStatus end = null;
        for (int request = 1; end == null; request++) {
            end = run(KilledMain.class, Kind.BACKUP_UPLOAD, Map.of(), request);
            kills += end == null ? 1 : 0;
        }
        assertThat(end.state()).as(end.message()).isEqualTo(State.DONE);
        assertThat(end.done()).isEqualTo(end.total()).isPositive();
        assertThat(kills).isGreaterThan(4);
        TaskStatus commit = run(
                TransferMain.class,
                Kind.BACKUP_COMMIT,
                Map.of("nodes", "dc1.node-0", "datacenters", "dc1", "spec", "name: rides"),
                0);
        assertThat(commit.state()).as(commit.message()).isEqualTo(State.DONE);
        String hash;
        try (var store = new FolderStore(folder)) {
            hash = new Catalogue(store, TestNode.KEYS)
                    .read(BACKUP)
                    .nodes()
                    .get(0)
                    .manifest();
        }
        Map<String, String> arguments = Map.of("source", "dc1.node-0", "manifest", hash);
        TaskStatus fetch = run(TransferMain.class, Kind.RESTORE_FETCH, arguments, 0);
        assertThat(fetch.state()).as(fetch.message()).isEqualTo(State.DONE);
        assertThat(node.fetched(BACKUP)).containsExactlyInAnyOrderEntriesOf(files);
        TaskStatus verify = run(TransferMain.class, Kind.BACKUP_VERIFY, Map.of("level", "bytes"), 0);
        assertThat(verify.state()).as(verify.message()).isEqualTo(State.DONE);
    }

    @Test
    void a_failure_is_the_last_status() throws Exception {
        Files.delete(node.volume.resolve("locations").resolve("main.yaml"));
        TaskStatus end = run(TransferMain.class, Kind.BACKUP_CHECK, Map.of(), 0);
        assertThat(end.state()).isEqualTo(State.FAILED);
        assertThat(end.message()).contains("no location 'main'");
    }

    @Test
    void it_halts_when_its_executor_dies() throws Exception {
        node.takeSnapshot(BACKUP);
        Process process = start(KilledMain.class, Kind.BACKUP_UPLOAD, Map.of(), 3);
        awaitHang(process);
        process.getOutputStream().close();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isNotZero();
    }

    /** @return the last status; null if the process hung at a request, and was killed there */
    private TaskStatus run(Class<?> main, Kind kind, Map<String, String> arguments, int hangsAt) throws Exception {
        Process process = start(main, kind, arguments, hangsAt);
        if (hangsAt > 0 && awaitHang(process)) {
            process.destroyForcibly().waitFor();
            return null;
        }
        List<TaskStatus> lines = new ArrayList<>();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(line -> lines.add(Json.parse(line, TaskStatus.class)));
        }
        assertThat(process.waitFor()).isZero();
        assertThat(lines.subList(0, lines.size() - 1)).allMatch(status -> status.state() == State.RUNNING);
        return lines.get(lines.size() - 1);
    }

    private Process start(Class<?> main, Kind kind, Map<String, String> arguments, int hangsAt) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-Xss256k",
                        "-Xmx96m",
                        "-Dhangs.at=" + hangsAt,
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectError(hangsAt > 0 ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.INHERIT)
                .start();
        OutputStream input = process.getOutputStream();
        input.write(Json.bytes(node.request(kind, BACKUP, arguments)));
        input.write('\n');
        input.flush();
        return process;
    }

    /** @return false if the process ended */
    private static boolean awaitHang(Process process) throws IOException {
        BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
        for (String line = errors.readLine(); line != null; line = errors.readLine()) {
            if (line.equals("HANGS")) {
                return true;
            }
            System.err.println(line);
        }
        return false;
    }
}
