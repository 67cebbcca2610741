package io.ringmaster.backup.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RepositoryKeysTest {
    private static final BackupId BACKUP = new BackupId("20261124T040000Z-3f9c");
    private static final NodeName NODE = NodeName.parse("dc1.node-1");

    private final RepositoryKeys keys = new RepositoryKeys(new ClusterName("rides"), "dc1-7-00ff");

    @Test
    void each_key_has_its_place() {
        var blob = new BlobName("ab".repeat(32), 7);
        assertThat(keys.repositoryFile()).isEqualTo("rides/dc1-7-00ff/repo.json");
        assertThat(keys.blob(blob)).isEqualTo("rides/dc1-7-00ff/blobs/ab/" + "ab".repeat(32) + ".7");
        assertThat(keys.epoch(12)).isEqualTo("rides/dc1-7-00ff/gc/0000000012");
        assertThat(keys.nodeManifest(BACKUP, NODE))
                .isEqualTo("rides/dc1-7-00ff/nodes/20261124T040000Z-3f9c/dc1.node-1.json");
        assertThat(keys.manifest(BACKUP)).isEqualTo("rides/dc1-7-00ff/backups/20261124T040000Z-3f9c.json");
        assertThat(keys.ok(BACKUP)).isEqualTo("rides/dc1-7-00ff/backups/20261124T040000Z-3f9c.ok");
        assertThat(keys.intent(BACKUP, NODE)).isEqualTo("rides/dc1-7-00ff/intents/20261124T040000Z-3f9c/dc1.node-1");
        assertThat(keys.reader(BACKUP, NodeId.of("rides2/dc1/node-0")))
                .isEqualTo("rides/dc1-7-00ff/readers/20261124T040000Z-3f9c/rides2.dc1.node-0");
        assertThat(keys.reader(BACKUP, new ClusterName("rides2"), new DatacenterName("dc1")))
                .isEqualTo("rides/dc1-7-00ff/readers/20261124T040000Z-3f9c/rides2.dc1");
        assertThat(keys.trash(BACKUP)).isEqualTo("rides/dc1-7-00ff/trash/20261124T040000Z-3f9c");
        assertThat(keys.check(NODE)).isEqualTo("rides/dc1-7-00ff/check/dc1.node-1");
    }

    @Test
    void keys_are_read_back_whole() {
        var blob = new BlobName("0f".repeat(32), 12);
        assertThat(keys.blobOf(keys.blob(blob))).contains(blob);
        assertThat(keys.blobOf(keys.blob(blob) + "x")).isEmpty();
        assertThat(keys.blobOf(keys.blob(blob).replace("/0f/", "/0e/"))).isEmpty();
        assertThat(keys.epochOf(keys.epoch(12))).isEqualTo(OptionalLong.of(12));
        assertThat(keys.epochOf(keys.epochs() + "12")).isEmpty();
        assertThat(keys.manifestOf(keys.manifest(BACKUP))).contains(BACKUP);
        assertThat(keys.manifestOf(keys.ok(BACKUP))).isEmpty();
        assertThat(keys.okOf(keys.ok(BACKUP))).contains(BACKUP);
        assertThat(keys.trashOf(keys.trash(BACKUP))).contains(BACKUP);
        assertThat(keys.trashOf(keys.trash(BACKUP) + "1")).isEmpty();
        assertThat(RepositoryKeys.of(keys.blob(blob))).contains(keys);
        assertThat(RepositoryKeys.of("lost+found")).isEmpty();
    }

    @Test
    void a_node_is_not_taken_for_one_whose_name_it_starts_with() {
        NodeName longer = NodeName.parse("dc1.node-10");
        assertThat(keys.intentOf(BACKUP, keys.intent(BACKUP, longer))).contains(longer);
        assertThat(keys.intentOf(BACKUP, keys.intent(BACKUP, NODE) + "/x")).isEmpty();
        var other = new RepositoryKeys(new ClusterName("rides"), "dc1-7-00ff0");
        assertThat(keys.manifestOf(other.manifest(BACKUP))).isEmpty();
        assertThat(keys.end()).isLessThanOrEqualTo(other.repositoryFile()).isGreaterThan(keys.root());
    }

    @Test
    void foreign_texts_are_refused_by_name() {
        assertThatThrownBy(() -> new RepositoryKeys(new ClusterName("rides"), "../x"))
                .hasMessageContaining("'../x'");
        assertThatThrownBy(() -> new BackupId("20261324T040000Z-3f9c")).hasMessageContaining("20261324T040000Z-3f9c");
        assertThatThrownBy(() -> NodeName.parse("dc1/node-0")).hasMessageContaining("dc1.node-0");
        assertThatThrownBy(() -> BlobName.parse("12.0")).hasMessageContaining("'12.0'");
    }

    @Test
    void an_id_is_its_time() {
        Instant time = Instant.parse("2026-11-24T04:00:00Z");
        assertThat(BackupId.of(time, 0x13f9c)).isEqualTo(BACKUP);
        assertThat(BACKUP.time()).isEqualTo(time);
    }

    @Test
    void no_file_lies_outside_its_table() {
        String table = "trips/place-" + "0a".repeat(16);
        for (String name : new String[] {"../x", "..", "a/../../x", "/x", "a//b", "", "a/..", "a\nb"}) {
            assertThatThrownBy(() -> new FileEntry(table, name, 1, List.of(), null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new FileEntry("../place-" + "0a".repeat(16), "x", 1, List.of(), null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new FileEntry(table, "rocksdb/000012.sst", 1, List.of(), null).path())
                .isEqualTo(table + "/rocksdb/000012.sst");
        assertThat(TableEntry.label(table)).isEqualTo("trips.place");
    }
}
