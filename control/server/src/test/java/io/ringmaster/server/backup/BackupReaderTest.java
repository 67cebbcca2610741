package io.ringmaster.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.BlobReference;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.Cut;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.LocationAsk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the backups of a folder. */
class BackupReaderTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final ClusterName EATS = new ClusterName("eats");
    private static final String FIRST = "20261122T040000Z-3f9c";
    private static final String SECOND = "20261124T040000Z-77aa";

    @TempDir
    private Path folder;

    private BackupReader reader;

    @BeforeEach
    void location() throws IOException {
        Path backups = Files.createDirectory(folder.resolve("backups"));
        var locations = new BackupLocations(folder.resolve("locations"));
        locations.add("local", new LocationAsk(backups.toUri().toString(), null, null, null));
        Files.writeString(folder.resolve("locations").resolve("gone.yaml"), "url: file:///nowhere/at/all\n");
        reader = new BackupReader(locations);
    }

    private Path file(String key) throws IOException {
        Path file = folder.resolve("backups").resolve(key);
        Files.createDirectories(file.getParent());
        return file;
    }

    /** A manifest without its commit mark. */
    private void manifest(ClusterName cluster, String incarnation, String id) throws IOException {
        var keys = new RepositoryKeys(cluster, incarnation);
        Files.write(file(keys.repositoryFile()), Json.bytes(RepositoryFile.of(keys)));
        Instant cut = Instant.parse("2026-11-24T04:00:02Z");
        var node = new ClusterManifest.Member(
                NodeName.parse("dc1.node-0"),
                "6d1c",
                new RackName("r1"),
                List.of("1"),
                "5.0.9",
                false,
                100,
                3,
                40,
                Sha256.of(new byte[0]));
        var manifest = new ClusterManifest(
                RepositoryFile.FORMAT,
                new BackupId(id),
                cluster,
                incarnation,
                new Cut(cut, cut.plusMillis(800)),
                List.of(new DatacenterName("dc1")),
                List.of(node),
                "cluster: rides\n",
                new BlobReference(new BlobName(Sha256.of(new byte[1]), 0), 1),
                100,
                40);
        Files.write(file(keys.manifest(new BackupId(id))), Json.bytes(manifest));
    }

    private void backup(ClusterName cluster, String incarnation, String id) throws IOException {
        manifest(cluster, incarnation, id);
        var keys = new RepositoryKeys(cluster, incarnation);
        byte[] json = Files.readAllBytes(file(keys.manifest(new BackupId(id))));
        Files.writeString(file(keys.ok(new BackupId(id))), Sha256.of(json));
    }

    @Test
    void complete_backups_of_all_incarnations_are_listed_newest_first() throws IOException {
        backup(RIDES, "dc1-1-0a", FIRST);
        backup(RIDES, "dc1-4-0b", SECOND);
        backup(EATS, "dc1-1-0c", SECOND);
        manifest(RIDES, "dc1-4-0b", "20261125T040000Z-0000");
        assertThat(reader.list("local", RIDES)).extracting(BackupInfo::id).containsExactly(SECOND, FIRST);
        assertThat(reader.list("local", null)).hasSize(3);
        assertThat(reader.check("local").message()).isEqualTo("this server lists it: repositories of clusters: 3");
    }

    @Test
    void a_backup_is_shown_with_its_nodes_and_its_spec() throws IOException {
        backup(RIDES, "dc1-1-0a", FIRST);
        BackupInfo.Details details = reader.read("local", RIDES, "dc1-1-0a", FIRST);
        assertThat(details.spec()).isEqualTo("cluster: rides\n");
        assertThat(details.nodes()).containsExactly(new BackupInfo.Node("dc1/node-0", "r1", 100, 3, 40));
    }

    @Test
    void an_unknown_backup_and_a_malformed_name_are_refused() throws IOException {
        backup(RIDES, "dc1-1-0a", FIRST);
        assertThatThrownBy(() -> reader.read("local", RIDES, "dc1-1-0a", SECOND))
                .hasMessage("local has no backup " + SECOND + " of rides dc1-1-0a -> ringmaster backup list rides");
        assertThatThrownBy(() -> reader.read("local", RIDES, "dc1-1-0a", "latest"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("backup 'latest' must look like 20261124T040000Z-3f9c");
    }

    @Test
    void a_damaged_backup_is_listed_with_its_problem_and_hides_no_other() throws IOException {
        backup(RIDES, "dc1-1-0a", FIRST);
        backup(RIDES, "dc1-1-0a", SECOND);
        Path json = file(new RepositoryKeys(RIDES, "dc1-1-0a").manifest(new BackupId(SECOND)));
        Files.writeString(json, Files.readString(json).replace("100", "200"));
        List<BackupInfo> listed = reader.list("local", RIDES);
        assertThat(listed).extracting(BackupInfo::id).containsExactly(SECOND, FIRST);
        assertThat(listed.get(0).problem()).contains(SECOND + ".json is damaged: its .ok has another hash");
        assertThat(listed.get(0).to()).isEqualTo(Instant.parse("2026-11-24T04:00:00Z"));
        assertThat(listed.get(1).problem()).isNull();
        assertThat(reader.read("local", RIDES, "dc1-1-0a", FIRST).spec()).isNotEmpty();
        assertThatThrownBy(() -> reader.read("local", RIDES, "dc1-1-0a", SECOND))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining(SECOND + ".json is damaged: its .ok has another hash");
    }

    @Test
    void a_backup_whose_manifest_was_moved_away_is_listed_as_damaged() throws IOException {
        backup(RIDES, "dc1-1-0a", FIRST);
        assertThat(reader.list("local", RIDES)).hasSize(1);
        Files.delete(file(new RepositoryKeys(RIDES, "dc1-1-0a").manifest(new BackupId(FIRST))));
        assertThat(reader.list("local", RIDES)).singleElement().satisfies(b -> assertThat(b.problem())
                .contains(FIRST + ".json is missing, but its .ok is there"));
        assertThatThrownBy(() -> reader.read("local", RIDES, "dc1-1-0a", FIRST))
                .hasMessageContaining(FIRST + ".json is missing, but its .ok is there");
    }

    @Test
    void a_folder_that_is_missing_is_no_empty_location() {
        assertThatThrownBy(() -> reader.check("gone"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("/nowhere/at/all");
    }
}
