package io.ringmaster.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.LocationAsk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server refuses to delete in a folder. */
class BackupDeletionTest {
    private static final RepositoryKeys KEYS = new RepositoryKeys(new ClusterName("rides"), "dc1-4-0b");
    private static final RepositoryKeys FORMER = new RepositoryKeys(new ClusterName("rides"), "dc1-1-0a");
    private static final BackupId OLDEST = new BackupId("20251122T040000Z-0001");
    private static final BackupId FIRST = new BackupId("20261122T040000Z-3f9c");
    private static final BackupId SECOND = new BackupId("20261124T040000Z-77aa");
    private static final Instant NOW = Instant.parse("2026-11-25T00:00:00Z");

    @TempDir
    private Path folder;

    private BackupDeletion deletion;

    @BeforeEach
    void location() throws IOException {
        Path backups = Files.createDirectory(folder.resolve("backups"));
        var locations = new BackupLocations(folder.resolve("locations"));
        locations.add("local", new LocationAsk(backups.toUri().toString(), null, null, null));
        deletion = new BackupDeletion(new BackupReader(locations), () -> NOW);
        put(FORMER.repositoryFile());
        put(KEYS.repositoryFile());
        put(FORMER.manifest(OLDEST));
        for (BackupId id : List.of(FIRST, SECOND)) {
            put(KEYS.manifest(id));
            put(KEYS.ok(id));
        }
    }

    private Path put(String key) throws IOException {
        Path file = folder.resolve("backups").resolve(key);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    private List<Problem> refused(BackupId... ids) {
        List<String> texts = List.of(ids).stream().map(BackupId::value).toList();
        return catchThrowableOfType(ProblemException.class, () -> deletion.require("local", KEYS, texts))
                .problems();
    }

    @Test
    void an_older_complete_backup_may_go() {
        assertThatCode(() -> deletion.require("local", KEYS, List.of(FIRST.value())))
                .doesNotThrowAnyException();
    }

    @Test
    void the_newest_stays_and_an_unknown_one_is_named_with_those_that_exist_all_at_once() {
        List<Problem> problems = refused(new BackupId("20261123T040000Z-0000"), SECOND, FIRST);
        assertThat(problems)
                .extracting(Problem::line)
                .containsExactly(
                        "backups: there is no backup 20261123T040000Z-0000, but " + SECOND + ", " + FIRST
                                + " -> ringmaster backup list rides",
                        "backups: " + SECOND + " is the newest complete backup, which is never deleted"
                                + " -> ringmaster backup create rides --to local makes a newer one");
        assertThat(problems.get(0).code()).isEqualTo(ErrorCode.BACKUP_UNKNOWN);
    }

    @Test
    void a_backup_of_a_former_cluster_of_that_name_is_said_to_be_one() {
        assertThat(refused(OLDEST)).singleElement().satisfies(p -> assertThat(p.line())
                .contains(OLDEST + " is a backup of a former cluster rides -> delete rides/dc1-1-0a/ at the location"));
    }

    @Test
    void a_restore_that_reads_is_named_until_it_is_a_week_old() throws IOException {
        Path mark = put(KEYS.reader(FIRST, NodeId.of("rides2/dc1/node-0")));
        Files.setLastModifiedTime(mark, FileTime.from(NOW.minus(Duration.ofHours(1))));
        assertThat(refused(FIRST)).singleElement().satisfies(p -> assertThat(p.line())
                .contains("rides2.dc1.node-0 reads " + FIRST + " since 2026-11-24T23:00:00Z"));
        Files.setLastModifiedTime(mark, FileTime.from(NOW.minus(Duration.ofDays(8))));
        assertThatCode(() -> deletion.require("local", KEYS, List.of(FIRST.value())))
                .doesNotThrowAnyException();
    }

    @Test
    void a_malformed_id_is_refused() {
        assertThat(catchThrowableOfType(
                                ProblemException.class,
                                () -> deletion.require("local", KEYS, List.of("20269922T040000Z-3f9c")))
                        .problems())
                .singleElement()
                .satisfies(p -> assertThat(p.field()).isEqualTo("backups"));
    }
}
