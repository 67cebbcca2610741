package io.ringmaster.store.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.ports.SampleRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The behaviour of the store that is specific to ZooKeeper. */
@Timeout(120)
class ZooKeeperStoreTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final String NODE_PATH = "/ringmaster/dc1/records/nodes/rides%2Fdc1%2Fnode-0";

    private EmbeddedZooKeeper server;
    private ZooKeeperSession session;
    private ZooKeeperStore store;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        server = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), 0);
        session = ZooKeeperSession.connect(server, DC1);
        store = new ZooKeeperStore(session);
    }

    @AfterEach
    void stop() {
        session.close();
        server.close();
    }

    private static StoredRecord cluster(String name, long version) {
        return SampleRecords.cluster(name, version);
    }

    private void write(String path, String data) {
        session.call("write", zk -> zk.setData(path, data.getBytes(StandardCharsets.UTF_8), -1));
    }

    @Test
    void a_record_is_one_znode_that_people_can_read() {
        store.commit(Sessions.elect(session), List.of(new Change.Put(SampleRecords.node())));
        String data = new String(session.readAll(List.of(NODE_PATH)).get(0), StandardCharsets.UTF_8);
        assertThat(data).startsWith("{").contains("\"id\":\"rides/dc1/node-0\"");
    }

    @Test
    void a_record_of_the_pool_is_one_znode_with_its_bytes() {
        store.poolRecords(Sessions.elect(session)).put("mesos.framework-id", "a-0001".getBytes(StandardCharsets.UTF_8));
        byte[] data = session.readAll(List.of("/ringmaster/dc1/pool/mesos.framework-id"))
                .get(0);
        assertThat(data).asString(StandardCharsets.UTF_8).isEqualTo("a-0001");
    }

    @Test
    void a_corrupt_record_is_an_error_that_names_its_znode() {
        store.commit(Sessions.elect(session), List.of(new Change.Put(SampleRecords.node())));
        for (String wrong : List.of("", "{\"id\":7}", "nonsense", "\u001f\u008b", "Bnonsense", "null")) {
            write(NODE_PATH, wrong);
            assertThatThrownBy(store::load)
                    .as("holding '%s'", wrong)
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining(NODE_PATH)
                    .hasMessageContaining("zkCli.sh");
        }
    }

    @Test
    void a_record_in_the_znode_of_another_key_is_an_error() {
        store.commit(
                Sessions.elect(session), List.of(new Change.Put(cluster("rides", 1)), new Change.Put(cluster("b", 1))));
        write("/ringmaster/dc1/records/clusters/b", "{\"name\":\"rides\",\"targetSpecVersion\":1}");
        assertThatThrownBy(store::load)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("/records/clusters/b");
    }

    /** The state that a leader leaves if it dies after it decided a large commit and before it applied any change. */
    private void decideWithoutApplying(List<Edit> edits) {
        byte[] reference = new Blobs(session).write(Edit.write(edits));
        session.call("decide", zk -> zk.create(session.pendingPath(), reference, session.acl(), CreateMode.PERSISTENT));
    }

    @Test
    void a_large_commit_that_was_decided_is_seen_whole_and_applied_by_the_next_leader() {
        store.commit(Sessions.elect(session), List.of(new Change.Put(cluster("gone", 1))));
        decideWithoutApplying(List.of(
                new Edit("clusters/rides", RecordCodec.encode(cluster("rides", 1))), new Edit("clusters/gone", null)));
        ZooKeeperStore next = new ZooKeeperStore(session);
        assertThat(next.load()).containsExactly(cluster("rides", 1));
        next.commit(Sessions.elect(session), List.of(new Change.Put(cluster("trips", 1))));
        assertThat(next.load()).containsExactly(cluster("rides", 1), cluster("trips", 1));
        assertThat(session.readAll(List.of(session.pendingPath()))).containsExactly((byte[]) null);
        assertThat(session.children(session.blobsPath())).isEmpty();
    }

    @Test
    void a_large_commit_that_was_half_applied_is_completed() {
        decideWithoutApplying(List.of(
                new Edit("clusters/rides", RecordCodec.encode(cluster("rides", 2))),
                new Edit("clusters/trips", RecordCodec.encode(cluster("trips", 2)))));
        session.call(
                "apply one",
                zk -> zk.create(
                        "/ringmaster/dc1/records/clusters/rides",
                        RecordCodec.encode(cluster("rides", 2)),
                        session.acl(),
                        CreateMode.PERSISTENT));
        store.commit(Sessions.elect(session), List.of());
        assertThat(store.load()).containsExactly(cluster("rides", 2), cluster("trips", 2));
    }

    @Test
    void blobs_of_a_crash_before_the_decision_are_deleted_by_the_next_leader() {
        new Blobs(session).write(new byte[2 << 20]);
        assertThat(session.children(session.blobsPath())).isNotEmpty();
        store.commit(Sessions.elect(session), List.of(new Change.Put(cluster("rides", 1))));
        assertThat(session.children(session.blobsPath())).isEmpty();
        assertThat(store.load()).hasSize(1);
    }

    @Test
    void a_record_that_another_store_object_created_or_removed_does_not_block_a_commit() {
        long epoch = Sessions.elect(session);
        ZooKeeperStore other = new ZooKeeperStore(session);
        store.commit(epoch, List.of());
        other.commit(epoch, List.of(new Change.Put(cluster("rides", 1))));
        store.commit(epoch, List.of(new Change.Put(cluster("rides", 2))));
        other.commit(epoch, List.of(new Change.Remove(new RecordKey.OfCluster(new ClusterName("rides")))));
        store.commit(epoch, List.of(new Change.Put(cluster("rides", 3))));
        assertThat(store.load()).containsExactly(cluster("rides", 3));
    }

    @Test
    void a_format_of_a_newer_version_is_refused() {
        write("/ringmaster/dc1", "{\"format\":2}");
        assertThatThrownBy(() -> ZooKeeperSession.connect(server, DC1).close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("/ringmaster/dc1")
                .hasMessageContaining("{\"format\":2}");
    }

    @Test
    void a_path_that_names_no_record_has_no_znode() {
        for (String path : List.of("", "clusters", "clusters/", "unknown/x", "/clusters/x", "../x")) {
            assertThatThrownBy(() -> RecordPaths.path(path))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("record key");
        }
    }

    @Test
    void every_key_has_a_unique_path_and_is_decoded_from_it() {
        for (String key :
                List.of("nodes/rides/dc1/node-0", "cordons/.", "cordons/..", "cordons/.x", "cordons/a%2Fb+c ü")) {
            String path = RecordPaths.path(key);
            String type = path.substring(0, path.indexOf('/'));
            assertThat(path.substring(type.length() + 1)).doesNotContain("/").isNotIn(".", "..");
            assertThat(RecordPaths.key(type, path.substring(type.length() + 1))).isEqualTo(key);
        }
    }
}
