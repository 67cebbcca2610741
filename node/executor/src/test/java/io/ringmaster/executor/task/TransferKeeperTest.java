package io.ringmaster.executor.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.TaskStatus.State;
import io.ringmaster.model.spec.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a shell script in the place of Java, which does what each test says. */
@Timeout(60)
class TransferKeeperTest {
    private static final NodeId NODE = NodeId.of("rides/dc1/node-0");
    private static final NodeTask UPLOAD =
            new NodeTask("backup-upload-node-0-7", NodeTask.Kind.BACKUP_UPLOAD, Map.of("to", "main"));

    @TempDir
    private Path directory;

    private NodeFiles files;
    private FakeTransfer fake;
    private TransferProgram program;
    private TransferKeeper keeper;

    @BeforeEach
    void prepare() throws IOException {
        files = new NodeFiles(directory);
        files.create();
        fake = new FakeTransfer(directory);
        program = new TransferProgram(fake.java(), directory.resolve("transfer"), directory.resolve("locations"));
        keeper = keeper(8);
    }

    @AfterEach
    void killWhatIsLeft() throws IOException {
        fake.close();
    }

    private TransferKeeper keeper(int deathsMax) throws IOException {
        return keeper(deathsMax, new VolumeRoom(files.volume(), data -> false, System::nanoTime));
    }

    private TransferKeeper keeper(int deathsMax, VolumeRoom room) throws IOException {
        return new TransferKeeper(files, NODE, program, () -> {}, deathsMax, room);
    }

    private void advance(@Nullable NodeTask wanted, BooleanSupplier until) throws Exception {
        while (!until.getAsBoolean()) {
            keeper.advance(wanted, Preset.DEVELOPMENT);
            Thread.sleep(20);
        }
    }

    private TaskStatus status() {
        return Objects.requireNonNull(keeper.status(UPLOAD));
    }

    private boolean has(State state, long done) {
        TaskStatus known = keeper.status(UPLOAD);
        return known != null && known.state() == state && known.done() == done;
    }

    @Test
    void the_program_gets_its_request_and_its_reports_are_the_status_until_the_end_which_is_recorded()
            throws Exception {
        fake.does("report RUNNING 3; until [ -e go ]; do sleep 0.1; done; report DONE 10");
        assertThat(keeper.status(UPLOAD)).isNull();
        advance(UPLOAD, () -> has(State.RUNNING, 3));
        JsonNode request = Json.mapper().readTree(Files.readString(directory.resolve("requests")));
        assertThat(Json.mapper().treeToValue(request.get("task"), NodeTask.class))
                .isEqualTo(UPLOAD);
        assertThat(request.get("node").asText()).isEqualTo(NODE.value());
        assertThat(request.get("volume").asText()).isEqualTo(files.volume().toString());
        assertThat(request.get("locations").asText())
                .isEqualTo(directory.resolve("locations").toString());
        assertThat(Files.readString(directory.resolve("arguments")))
                .startsWith("-XX:+UseSerialGC -Xss256k ")
                .contains(" -Xmx96m ")
                .endsWith(" -cp " + directory.resolve("transfer") + "/* io.ringmaster.transfer.TransferMain\n");
        String process = "/proc/" + fake.pids().get(0);
        assertThat(Path.of(process, "oom_score_adj")).hasContent("1000");
        assertThat(Files.readString(Path.of(process, "stat")).split(" ", -1)[18])
                .as("nice")
                .isEqualTo("10");
        Files.createFile(directory.resolve("go"));
        advance(UPLOAD, () -> has(State.DONE, 10));
        keeper = keeper(8);
        assertThat(has(State.DONE, 10)).isTrue();
        keeper.advance(UPLOAD, Preset.DEVELOPMENT);
        assertThat(fake.pids()).as("a transfer that is done never runs again").hasSize(1);
    }

    @Test
    void a_program_that_is_killed_is_started_again() throws Exception {
        fake.does(FakeTransfer.WORKS);
        advance(UPLOAD, () -> has(State.RUNNING, 3));
        fake.does("report RUNNING 7; report DONE 10");
        ProcessHandle.of(fake.pids().get(0)).orElseThrow().destroyForcibly();
        advance(UPLOAD, () -> has(State.DONE, 10));
        assertThat(fake.pids()).hasSize(2);
    }

    @Test
    void a_program_that_dies_again_and_again_without_progress_has_failed_with_its_last_words() throws Exception {
        keeper = keeper(2);
        fake.does("echo 'no room' >&2; exit 3");
        advance(UPLOAD, () -> has(State.FAILED, 0));
        assertThat(status().message())
                .isEqualTo(
                        "its program ended 2 times without any progress, the last time with " + "exit code 3: no room");
        assertThat(Files.readAllLines(files.transferLog()))
                .hasSize(2)
                .allMatch(l -> l.endsWith(UPLOAD.id() + " no room"));
        assertThat(keeper(2).status(UPLOAD)).isEqualTo(status());
    }

    @Test
    void a_program_that_does_the_same_part_before_each_death_makes_no_progress() throws Exception {
        keeper = keeper(3);
        // 5, then 2 and 4 in turn
        fake.does("if [ -e odd ]; then rm odd; report RUNNING 4; elif [ -e once ]; then : > odd; report RUNNING 2;"
                + " else : > once; report RUNNING 5; fi; exit 3");
        advance(UPLOAD, () -> keeper.status(UPLOAD) != null && status().state() == State.FAILED);
        assertThat(status().message()).startsWith("its program ended 3 times without any progress");
        assertThat(fake.pids()).hasSize(3);
    }

    @Test
    void what_is_no_report_goes_to_the_log_and_reports_of_another_task_do_not_count() throws Exception {
        fake.does("echo hello; id=other; report DONE 10; id=" + UPLOAD.id() + "; report DONE 9; report RUNNING 1");
        advance(UPLOAD, () -> has(State.DONE, 9));
        assertThat(Files.readString(files.transferLog())).contains("no status: hello");
    }

    @Test
    void a_transfer_that_is_no_longer_in_the_target_is_stopped_before_the_next_one_starts() throws Exception {
        fake.does("trap '' TERM; report RUNNING 3; while :; do sleep 1; done"); // the end of its input does not end it
        advance(UPLOAD, () -> has(State.RUNNING, 3));
        long stubborn = fake.pids().get(0);
        fake.does(FakeTransfer.WORKS);
        NodeTask next = new NodeTask("backup-check-node-0-9", NodeTask.Kind.BACKUP_CHECK, Map.of());
        long before = System.nanoTime();
        advance(next, () -> !FakeTransfer.runs(stubborn));
        assertThat((System.nanoTime() - before) / 1e9).as("seconds until KILL").isBetween(4.0, 20.0);
        assertThat(fake.pids()).hasSize(1);
        advance(next, () -> keeper.status(next) != null && keeper.status(next).done() == 3);
        assertThat(fake.pids()).hasSize(2);
        advance(null, () -> !FakeTransfer.runs(fake.pids().get(1)));
        assertThat(keeper.status(null)).isNull();
        assertThat(files.transfer()).as("a stopped transfer may run again").doesNotExist();
    }

    @Test
    void the_snapshot_of_an_upload_goes_with_its_end_and_no_other_one() throws Exception {
        NodeTask upload = new NodeTask("u-1", NodeTask.Kind.BACKUP_UPLOAD, Map.of("backup", "20261124T040000Z-0001"));
        Path snapshots = files.volume().resolve("data/trips/place-7f/snapshots");
        Path own = snapshots.resolve("ringmaster-20261124T040000Z-0001");
        Path other = Files.createDirectories(snapshots.resolve("by-hand"));
        Files.createDirectories(own.resolve("rocksdb"));
        fake.does(FakeTransfer.WORKS);
        advance(
                upload,
                () -> keeper.status(upload) != null && keeper.status(upload).done() == 3);
        assertThat(own).isDirectory();
        advance(null, () -> !Files.exists(own));
        assertThat(other).isDirectory();
        Files.createDirectories(own);
        keeper = keeper(1);
        fake.does("exit 3");
        advance(
                upload,
                () -> keeper.status(upload) != null && keeper.status(upload).state() == State.FAILED);
        assertThat(own).doesNotExist();
        assertThat(other).isDirectory();
    }

    @Test
    void a_snapshot_that_no_upload_sends_gives_way_to_the_data() throws Exception {
        Path table = files.volume().resolve("data/trips/place-7f");
        Path left = Files.createDirectories(table.resolve("snapshots/ringmaster-20261124T040000Z-0001"));
        Path ofPeople = Files.createDirectories(table.resolve("snapshots/before-the-upgrade"));
        keeper = keeper(8, new VolumeRoom(files.volume(), files.volume().resolve("data")::equals, System::nanoTime));
        keeper.advance(null, Preset.DEVELOPMENT);
        assertThat(left).doesNotExist();
        assertThat(ofPeople).exists();
    }

    @Test
    void an_upload_ends_with_its_snapshot_where_the_data_has_too_little_room() throws Exception {
        NodeTask upload = new NodeTask("u-1", NodeTask.Kind.BACKUP_UPLOAD, Map.of("backup", "20261124T040000Z-0001"));
        Path snapshot = files.volume().resolve("data/trips/place-7f/snapshots/ringmaster-20261124T040000Z-0001");
        Files.createDirectories(snapshot);
        var full = new AtomicBoolean();
        var nanos = new AtomicLong();
        keeper = keeper(8, new VolumeRoom(files.volume(), data -> full.get(), nanos::get));
        fake.does(FakeTransfer.WORKS);
        advance(
                upload,
                () -> keeper.status(upload) != null && keeper.status(upload).done() == 3);
        full.set(true);
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        keeper.advance(upload, Preset.DEVELOPMENT);
        assertThat(keeper.status(upload).state()).as("looks once a minute").isEqualTo(State.RUNNING);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        keeper.advance(upload, Preset.DEVELOPMENT);
        assertThat(keeper.status(upload).state()).isEqualTo(State.FAILED);
        assertThat(keeper.status(upload).message())
                .isEqualTo("less than 5 % of " + files.volume().resolve("data") + " is free: the backup gives way,"
                        + " because its snapshot keeps files that compactions replaced -> make room on that node, then"
                        + " run the backup again");
        assertThat(snapshot).doesNotExist();
        advance(upload, () -> !FakeTransfer.runs(fake.pids().get(0)));
        assertThat(fake.pids()).as("it does not start again").hasSize(1);
        NodeTask fetch = new NodeTask("f-1", NodeTask.Kind.RESTORE_FETCH, Map.of());
        advance(
                fetch,
                () -> keeper.status(fetch) != null && keeper.status(fetch).done() == 3);
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        keeper.advance(fetch, Preset.DEVELOPMENT);
        assertThat(keeper.status(fetch).state()).as("a restore keeps no files").isEqualTo(State.RUNNING);
    }

    @Test
    void without_the_program_or_without_locations_a_transfer_fails_and_says_what_is_missing() throws Exception {
        keeper = new TransferKeeper(files, NODE, null, () -> {});
        keeper.advance(UPLOAD, Preset.DEVELOPMENT);
        assertThat(status().state()).isEqualTo(State.FAILED);
        assertThat(status().message()).contains("not installed");
        NodeTask next = new NodeTask("next", UPLOAD.kind(), Map.of());
        var nowhere = new TransferProgram(program.java(), program.jars(), null);
        keeper = new TransferKeeper(files, NODE, nowhere, () -> {});
        keeper.advance(next, Preset.PRODUCTION);
        assertThat(keeper.status(next).message()).contains("backup_locations", "backup_locations_secret");
    }

    @Test
    void in_preset_production_the_program_has_more_memory() {
        assertThat(program.command(Preset.PRODUCTION)).contains("-Xmx192m");
    }
}
