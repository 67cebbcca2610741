package io.ringmaster.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.Catalogue.State;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeTask.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitWorkTest {
    private static final BackupId BACKUP = new BackupId("20261124T040000Z-0001");
    private static final RepositoryKeys KEYS = TestNode.KEYS;

    @TempDir
    Path directory;

    private final MemoryStore store = new MemoryStore();
    private List<TestNode> nodes;

    @BeforeEach
    void writeFiles() {
        nodes = TestNode.cluster(directory, 3);
        for (TestNode node : nodes) {
            node.sstable(1, 1000);
            node.engineFile("CURRENT", 16);
        }
    }

    @Test
    void the_manifest_is_complete() throws Exception {
        nodes.get(2).to = "2026-11-24T04:00:03.500Z";
        upload();
        assertThat(catalogue().backups()).isEmpty();
        assertThat(commit()).isEqualTo(BACKUP + ", 3 nodes, 15.2 KiB, snapshots within 3.5 s");
        ClusterManifest manifest = catalogue().read(BACKUP);
        assertThat(manifest.nodes())
                .extracting(member -> member.node().toString())
                .containsExactly("dc1.node-0", "dc1.node-1", "dc1.node-2");
        assertThat(manifest.nodes().get(1).tokens()).containsExactly("100", "7100");
        assertThat(manifest.spec()).isEqualTo("name: rides");
        assertThat(manifest.cut().to()).isEqualTo(Instant.parse("2026-11-24T04:00:03.500Z"));
        assertThat(catalogue().committed()).containsExactly(BACKUP);
        assertThat(store.objects.keySet()).noneMatch(key -> key.contains("/intents/"));
    }

    @Test
    void it_names_the_nodes_that_owe_a_cleanup() throws Exception {
        for (TestNode node : nodes) {
            node.takeSnapshot(BACKUP);
            boolean owes = node == nodes.get(1);
            TransferRequest request =
                    node.request(Kind.BACKUP_UPLOAD, BACKUP, Map.of("needs_cleanup", Boolean.toString(owes)));
            new UploadWork(request, store, new TransferProgress(), TransferMachine.withThreads(1)).run();
        }
        commit();
        assertThat(catalogue().read(BACKUP).nodes())
                .extracting(ClusterManifest.Member::needsCleanup)
                .containsExactly(false, true, false);
    }

    @Test
    void killed_at_each_request_it_goes_on_on_another_node() throws Exception {
        upload();
        var uploaded = new TreeMap<>(store.objects);
        int request = 1;
        for (boolean killed = true; killed; request++) {
            for (boolean after : new boolean[] {false, true}) {
                store.objects.clear();
                store.objects.putAll(uploaded);
                store.killAt(request, after);
                try {
                    nodes.get(1).commit(store, BACKUP, 3);
                    killed = false;
                } catch (MemoryStore.Killed e) {
                    killed = true;
                }
                store.killAt(Integer.MAX_VALUE, false);
                assertThat(commit()).contains("3 nodes");
                assertThat(catalogue().committed()).containsExactly(BACKUP);
            }
        }
        assertThat(request).isGreaterThan(10);
    }

    @Test
    void a_missing_manifest_is_named() throws Exception {
        upload();
        store.objects.remove(KEYS.nodeManifest(BACKUP, NodeName.parse("dc1.node-1")));
        refuses("manifest of dc1.node-1 is missing");
    }

    @Test
    void a_foreign_manifest_is_named() throws Exception {
        upload();
        store.objects.put(
                KEYS.nodeManifest(BACKUP, NodeName.parse("dc1.node-1")),
                store.objects.get(KEYS.nodeManifest(BACKUP, NodeName.parse("dc1.node-2"))));
        refuses("belongs to dc1.node-2");
    }

    @Test
    void a_cut_manifest_is_named() throws Exception {
        upload();
        String key = KEYS.nodeManifest(BACKUP, NodeName.parse("dc1.node-1"));
        store.objects.put(key, Arrays.copyOf(store.objects.get(key), 100));
        refuses(key + " is damaged");
    }

    @Test
    void a_list_with_another_hash_is_named() throws Exception {
        upload();
        NodeManifest node = Json.parse(
                store.objects.get(KEYS.nodeManifest(BACKUP, NodeName.parse("dc1.node-1"))), NodeManifest.class);
        byte[] list = store.objects.get(KEYS.blob(node.list().blob())).clone();
        list[list.length / 2] ^= 1;
        store.objects.put(KEYS.blob(node.list().blob()), list);
        refuses("file list of dc1.node-1 is damaged");
    }

    @Test
    void other_rings_are_refused() throws Exception {
        nodes.get(0).ring.remove(2);
        upload();
        refuses("dc1.node-2 is not in the ring that dc1.node-0 saw");
    }

    @Test
    void other_tokens_are_refused() throws Exception {
        nodes.get(2).ring.set(1, TestNode.member(nodes.get(1).hostId, "5"));
        upload();
        refuses("saw other tokens or another rack of dc1.node-1");
    }

    @Test
    void a_member_that_is_in_no_part_is_refused() throws Exception {
        nodes.forEach(node -> node.ring.add(TestNode.member("00000000-0000-0000-0000-0000000000ff", "5")));
        upload();
        refuses("00000000-0000-0000-0000-0000000000ff of dc1 is in the ring, but not in the backup");
    }

    @Test
    void snapshots_far_apart_or_of_two_schemas_are_refused() throws Exception {
        nodes.get(1).to = "2026-11-24T04:10:01Z";
        upload();
        refuses("more than 10 min away");
        nodes.get(1).to = "2026-11-24T04:00:01Z";
        nodes.get(1).schemaVersion = "v2";
        BackupId later = new BackupId("20261124T050000Z-0001");
        for (TestNode node : nodes) {
            node.takeSnapshot(later);
            node.upload(store, later);
        }
        assertThatThrownBy(() -> nodes.get(0).commit(store, later, 3))
                .hasMessageContaining("the schema changed")
                .hasMessageContaining("dc1.node-1 has v2");
    }

    /** Its snapshot was taken with those of the others, which their clocks do not show. */
    @Test
    void a_node_whose_clock_is_wrong_agrees_with_the_others_by_the_clock_of_the_store() throws Exception {
        TestNode wrong = nodes.get(1);
        wrong.now = wrong.now.plus(Duration.ofMinutes(20));
        wrong.from = "2026-11-24T04:20:00Z";
        wrong.to = "2026-11-24T04:20:01Z";
        upload();
        assertThat(commit()).endsWith("snapshots within 1.0 s");
        assertThat(catalogue().read(BACKUP).cut().from()).isEqualTo(Instant.parse("2026-11-24T04:00:00Z"));
    }

    @Test
    void snapshots_that_only_a_wrong_clock_brings_together_are_refused() throws Exception {
        nodes.get(1).now = nodes.get(1).now.plus(Duration.ofMinutes(20));
        upload();
        refuses("the snapshot of dc1.node-1 is more than 10 min away from others by the clock of the store");
    }

    @Test
    void without_an_intent_the_backup_is_void() throws Exception {
        upload();
        store.objects.remove(KEYS.intent(BACKUP, NodeName.parse("dc1.node-1")));
        refuses("is void");
        assertThat(catalogue().backups()).containsEntry(BACKUP, State.UNCOMMITTED);
    }

    @Test
    void a_backup_that_is_being_deleted_is_not_reported_as_done() throws Exception {
        upload();
        store.objects.put(KEYS.trash(BACKUP), new byte[0]);
        assertThatThrownBy(this::commit).hasMessageContaining("is being deleted");
        assertThat(catalogue().committed()).isEmpty();
    }

    @Test
    void a_manifest_with_another_mark_is_damaged() throws Exception {
        upload();
        commit();
        byte[] json = store.objects.get(KEYS.manifest(BACKUP));
        store.objects.put(
                KEYS.manifest(BACKUP),
                new String(json, StandardCharsets.UTF_8)
                        .replace("name: rides", "name: eats!")
                        .getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> catalogue().read(BACKUP))
                .hasMessageContaining(KEYS.manifest(BACKUP) + " is damaged: its .ok has another hash");
    }

    @Test
    void a_location_lists_its_repositories() throws Exception {
        upload();
        for (String incarnation : List.of("dc1-1-00ff-1", "dc1-1-00ff0", "a")) {
            store.objects.put(new RepositoryKeys(new ClusterName("rides"), incarnation).repositoryFile(), new byte[0]);
        }
        store.objects.put("README", new byte[0]);
        store.requests.clear();
        assertThat(Catalogue.repositories(store))
                .extracting(RepositoryKeys::incarnation)
                .containsExactlyInAnyOrder("dc1-1-00ff", "dc1-1-00ff-1", "dc1-1-00ff0", "a");
        assertThat(store.requests).hasSize(6);
    }

    private void upload() throws IOException, InterruptedException {
        for (TestNode node : nodes) {
            node.takeSnapshot(BACKUP);
            node.upload(store, BACKUP);
        }
    }

    private String commit() throws IOException, InterruptedException {
        return nodes.get(0).commit(store, BACKUP, 3);
    }

    private void refuses(String message) {
        assertThatThrownBy(this::commit).isInstanceOf(IOException.class).hasMessageContaining(message);
        assertThat(store.objects).doesNotContainKey(KEYS.ok(BACKUP));
    }

    private Catalogue catalogue() {
        return new Catalogue(store, KEYS);
    }
}
