package io.ringmaster.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.LocationAsk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a server's mark is at a folder. */
class RestoreMarksTest {
    private static final ClusterName RIDES2 = new ClusterName("rides2");
    private static final RepositoryKeys KEYS = new RepositoryKeys(new ClusterName("rides"), "dc1-4-0b");
    private static final BackupId BACKUP = new BackupId("20261122T040000Z-3f9c");
    private static final RestoreSource SOURCE =
            new RestoreSource("local", KEYS.cluster(), KEYS.incarnation(), BACKUP.value());
    private static final Map<ClusterName, RestoreSource> RESTORING = Map.of(RIDES2, SOURCE);

    @TempDir
    private Path folder;

    private Optional<Map<ClusterName, RestoreSource>> inProgress = Optional.of(Map.of());
    private Map<ClusterName, RestoreSource> over = Map.of();
    private long nanos;
    private RestoreMarks marks;
    private Path mark;

    @BeforeEach
    void location() throws IOException {
        Path backups = Files.createDirectory(folder.resolve("backups"));
        var locations = new BackupLocations(folder.resolve("locations"));
        locations.add("local", new LocationAsk(backups.toUri().toString(), null, null, null));
        marks = new RestoreMarks(
                new BackupReader(locations),
                new DatacenterName("dc1"),
                () -> inProgress.map(known -> new RestoreMarks.Restores(known, over)),
                () -> nanos);
        put(KEYS.ok(BACKUP));
        mark = backups.resolve(KEYS.root()).resolve("readers/20261122T040000Z-3f9c/rides2.dc1");
    }

    private void put(String key) throws IOException {
        Path object = folder.resolve("backups").resolve(key);
        Files.createDirectories(object.getParent());
        Files.createFile(object);
    }

    private boolean isThereAfter(Duration time) {
        nanos += time.toNanos();
        marks.look();
        return Files.exists(mark);
    }

    private boolean isPutAgainAfter(Duration time) throws IOException {
        Files.delete(mark);
        return isThereAfter(time);
    }

    private Problem refused() {
        return catchThrowableOfType(ProblemException.class, () -> marks.hold(RIDES2, SOURCE))
                .problems()
                .get(0);
    }

    @Test
    void it_is_there_before_the_spec_is_stored_and_until_the_restore_is_over() {
        marks.hold(RIDES2, SOURCE);
        assertThat(mark).exists();
        assertThat(isThereAfter(Duration.ofMinutes(1))).as("not stored yet").isTrue();
        inProgress = Optional.of(RESTORING);
        assertThat(isThereAfter(Duration.ofMinutes(30))).isTrue();
        inProgress = Optional.of(Map.of());
        assertThat(isThereAfter(Duration.ofMinutes(1))).as("created or deleted").isFalse();
    }

    @Test
    void one_of_a_restore_that_is_requested_again_stays() {
        inProgress = Optional.of(RESTORING);
        assertThat(isThereAfter(Duration.ofHours(1))).isTrue();
        nanos += Duration.ofHours(1).toNanos();
        inProgress = Optional.of(Map.of()); // the cluster is deleted, and the next spec not stored yet
        marks.hold(RIDES2, SOURCE);
        assertThat(isThereAfter(Duration.ofSeconds(15))).isTrue();
    }

    @Test
    void the_marks_of_nodes_whose_fetch_broke_off_go_with_it() throws IOException {
        marks.hold(RIDES2, SOURCE);
        Path ofNode = Files.createFile(mark.resolveSibling("rides2.dc1.node-0"));
        Path ofOther = Files.createFile(mark.resolveSibling("rides2.dc2.node-0"));
        inProgress = Optional.of(RESTORING);
        assertThat(isThereAfter(Duration.ofMinutes(1))).isTrue();
        assertThat(ofNode).exists();
        inProgress = Optional.of(Map.of());
        assertThat(isThereAfter(Duration.ofMinutes(1))).isFalse();
        assertThat(ofNode).doesNotExist();
        assertThat(ofOther).as("the server of its datacenter deletes it").exists();
    }

    @Test
    void one_of_a_spec_that_was_refused_goes_after_ten_minutes() {
        marks.hold(RIDES2, SOURCE);
        assertThat(isThereAfter(Duration.ofMinutes(10))).isTrue();
        assertThat(isThereAfter(Duration.ofMinutes(1))).isFalse();
    }

    @Test
    void a_server_that_learns_of_a_restore_or_starts_again_puts_it_and_renews_it_daily() throws IOException {
        inProgress = Optional.of(RESTORING);
        assertThat(isThereAfter(Duration.ZERO)).isTrue();
        assertThat(isPutAgainAfter(Duration.ofHours(23))).isFalse();
        assertThat(isThereAfter(Duration.ofHours(1))).isTrue();
        assertThat(isPutAgainAfter(Duration.ofDays(30))).isTrue();
    }

    @Test
    void a_server_that_does_not_lead_any_more_leaves_it_to_the_leader() {
        inProgress = Optional.of(RESTORING);
        assertThat(isThereAfter(Duration.ZERO)).isTrue();
        inProgress = Optional.empty();
        assertThat(isThereAfter(Duration.ofDays(2))).isTrue();
        inProgress = Optional.of(Map.of());
        assertThat(isThereAfter(Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void a_new_leader_deletes_what_a_former_one_left_of_a_restore_that_is_over() throws IOException {
        over = RESTORING;
        put(KEYS.root() + "readers/" + BACKUP + "/rides2.dc1");
        assertThat(isThereAfter(Duration.ZERO)).isFalse();
    }

    @Test
    void a_location_that_is_away_refuses_the_restore_and_ends_no_look() throws IOException {
        Path away = folder.resolve("away");
        Files.move(folder.resolve("backups"), away);
        assertThat(refused().code()).isEqualTo(ErrorCode.BACKUP_STORE_FAILED);
        assertThat(refused().message()).contains("backups does not exist");
        inProgress = Optional.of(RESTORING);
        assertThat(isThereAfter(Duration.ofMinutes(1))).isFalse();
        Files.move(away, folder.resolve("backups"));
        assertThat(isThereAfter(Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void a_backup_that_is_being_deleted_is_refused_and_gets_none() throws IOException {
        put(KEYS.trash(BACKUP));
        String sentence =
                "restore.backup: " + BACKUP + " is being deleted, or is deleted -> ringmaster backup list rides";
        assertThat(refused().line()).isEqualTo(sentence);
        assertThat(mark).doesNotExist();
        Files.delete(folder.resolve("backups").resolve(KEYS.trash(BACKUP)));
        Files.delete(folder.resolve("backups").resolve(KEYS.ok(BACKUP)));
        assertThat(refused().line()).as("a collection ended meanwhile").isEqualTo(sentence);
        assertThat(mark).doesNotExist();
    }

    @Test
    void a_deletion_names_the_new_cluster() {
        marks.hold(RIDES2, SOURCE);
        var locations = new BackupLocations(folder.resolve("locations"));
        var deletion = new BackupDeletion(new BackupReader(locations), Instant::now);
        assertThat(catchThrowableOfType(ProblemException.class, () -> deletion.require("local", KEYS, List.of()))
                        .problems())
                .singleElement()
                .satisfies(p -> assertThat(p.message())
                        .contains("nothing is deleted while a restore is in progress: rides2.dc1 reads " + BACKUP));
    }
}
