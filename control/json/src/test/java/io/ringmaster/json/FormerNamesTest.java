package io.ringmaster.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** JSON as servers of older versions wrote it. */
class FormerNamesTest {
    @Test
    void records_of_an_older_version_keep_the_fields_that_have_other_names_now() {
        ClusterRecord cluster = Json.parse(
                "{\"name\":\"rides\",\"targetSpecVersion\":1,\"left\":[\"rides-dc1-node-2\"]}", ClusterRecord.class);
        assertThat(cluster.volumes()).containsExactly(KeptVolume.ofOlderServer("rides-dc1-node-2"));
        assertThat(cluster.volumes().get(0).own(null)).isFalse();
        assertThat(Json.parse(Json.text(cluster), ClusterRecord.class)).isEqualTo(cluster);
        assertThat(Json.text(cluster)).doesNotContain("own", "mustDestroy");
        NodeRecord node = Json.parse(
                "{\"id\":\"rides/dc1/node-0\",\"rack\":\"r1\",\"tokens\":[],\"uncleaned\":true,\"aside\":true,"
                        + "\"displaced\":[{\"id\":\"rides-dc1-node-0\"}]}",
                NodeRecord.class);
        assertThat(node.needsCleanup()).isTrue();
        assertThat(node.evacuating()).isTrue();
        assertThat(node.previousAllocations()).hasSize(1);
        Request request = Json.parse(
                "{\"id\":\"dc1-r1\",\"cluster\":\"rides\",\"operation\":\"restart\",\"claim\":\"RING\",\"params\":{}}",
                Request.class);
        assertThat(request.lockScope()).isEqualTo(LockScope.RING);
        assertThat(Json.text(request)).contains("\"lockScope\":\"RING\"").doesNotContain("claim");
    }

    @Test
    void tls_of_a_later_version_is_not_known_and_the_rest_of_the_status_is() {
        TlsSpec both = new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.OPTIONAL);
        String status = Json.text(TlsStatus.UNUSED.following(both));
        assertThat(Json.parse(status, TlsStatus.class).target()).isEqualTo(both);
        assertThat(Json.parse(status.replace("OPTIONAL", "MUTUAL"), TlsStatus.class))
                .isEqualTo(TlsStatus.UNUSED);
        assertThat(Json.parse("{\"clients\":\"OFF\"}", TlsSpec.class)).isEqualTo(TlsSpec.OFF);
    }

    /** What a server stored before a pool reported the addresses. */
    private static String formerNode(String more) {
        return "{\"id\":\"rides/dc1/node-0\","
                + "\"allocation\":{\"id\":\"rides-dc1-node-0-2\",\"node\":\"rides/dc1/node-0\","
                + "\"machine\":\"machine-2\",\"address\":\"127.1.1.2\","
                + "\"ports\":{\"storage\":7000,\"sslStorage\":7001,\"nativeTransport\":9042,\"executor\":9500},"
                + "\"resources\":{\"cpuMillis\":500,\"memoryBytes\":3,\"heapBytes\":1,\"diskBytes\":2}},"
                + "\"rack\":\"r1\",\"tokens\":[\"-1\"],\"generation\":4,\"run\":true,\"launched\":true,"
                + "\"previousAllocations\":[{\"id\":\"rides-dc1-node-0-1\",\"node\":\"rides/dc1/node-0\","
                + "\"machine\":\"machine-1\",\"address\":\"127.1.1.1\"}]" + more + "}";
    }

    @Test
    void a_node_of_an_older_version_that_joined_was_last_seen_at_the_address_of_its_allocation() {
        NodeRecord node = Json.parse(formerNode(",\"joined\":true"), NodeRecord.class);
        assertThat(node.lastEndpoint()).isEqualTo("127.1.1.2:7000");
        assertThat(node.hostId()).isNull();
        assertThat(node.generation()).isEqualTo(4);
        assertThat(node.allocation().machine()).isEqualTo(new MachineName("machine-2"));
        assertThat(node.allocation().ports()).isEqualTo(new NodePorts(7000, 7001, 9042, 9500));
        assertThat(node.allocation().resources()).isEqualTo(new NodeResources(500, 3, 1, 2));
        assertThat(node.previousAllocations())
                .extracting(Allocation::machine)
                .containsExactly(new MachineName("machine-1"));
        assertThat(Json.text(node)).doesNotContain("127.1.1.1").doesNotContain("address");
        assertThat(Json.parse(Json.text(node), NodeRecord.class)).isEqualTo(node);
    }

    @Test
    void a_node_of_an_older_version_that_never_joined_was_never_seen() {
        for (String more : List.of("", ",\"joined\":false", ",\"replaces\":\"127.1.1.1:7000\"")) {
            assertThat(Json.parse(formerNode(more), NodeRecord.class).lastEndpoint())
                    .isNull();
        }
    }

    @Test
    void a_node_keeps_the_endpoint_at_which_it_was_last_seen() {
        String seen = ",\"joined\":true,\"lastEndpoint\":\"10.0.0.7:7000\",\"hostId\":\"d03783d7\"";
        NodeRecord node = Json.parse(formerNode(seen), NodeRecord.class);
        assertThat(node.lastEndpoint()).isEqualTo("10.0.0.7:7000");
        assertThat(node.hostId()).isEqualTo("d03783d7");
    }

    @Test
    void a_node_of_an_older_version_that_needed_a_repair_owes_one() {
        NodeRecord node = Json.parse(formerNode(",\"joined\":true,\"needsRepair\":true"), NodeRecord.class);
        assertThat(node.owesRepairSince()).isEqualTo(Instant.EPOCH);
        assertThat(Json.parse(formerNode(",\"joined\":true,\"needsRepair\":false"), NodeRecord.class)
                        .owesRepair())
                .isFalse();
    }

    @Test
    void a_node_of_an_older_version_has_no_transfer_and_a_newer_one_keeps_it() {
        NodeRecord node = Json.parse(formerNode(",\"joined\":true"), NodeRecord.class);
        assertThat(node.transfer()).isNull();
        NodeRecord uploading =
                node.withTransfer(new NodeTask("upload-1", NodeTask.Kind.BACKUP_UPLOAD, Map.of("to", "main")));
        assertThat(Json.parse(Json.text(uploading), NodeRecord.class)).isEqualTo(uploading);
    }

    @Test
    void an_error_in_the_record_of_a_node_names_the_field() {
        String wrong = formerNode(",\"joined\":true").replace("machine-2", "machine 2");
        assertThatThrownBy(() -> Json.parse(wrong, NodeRecord.class))
                .isInstanceOf(UncheckedIOException.class)
                .hasStackTraceContaining("machine 2")
                .hasStackTraceContaining("NodeRecord[\"allocation\"]");
    }

    @Test
    void the_address_in_a_target_of_an_older_version_is_skipped() {
        NodeTarget target = Json.parse(
                "{\"node\":\"rides/dc1/node-0\",\"generation\":3,\"specVersion\":1,\"run\":true,\"restarts\":0,"
                        + "\"firstCreation\":true,\"joined\":false,\"cassandraVersion\":\"5.0.9\","
                        + "\"preset\":\"DEVELOPMENT\",\"rack\":\"r1\",\"address\":\"127.1.1.1\","
                        + "\"ports\":{\"storage\":7000,\"sslStorage\":7001,\"nativeTransport\":9042,"
                        + "\"executor\":9500},\"tokens\":[\"-1\"],"
                        + "\"resources\":{\"cpuMillis\":500,\"memoryBytes\":3,\"heapBytes\":1,\"diskBytes\":2},"
                        + "\"jvm\":{\"collector\":\"G1\",\"options\":[]},\"cassandraYaml\":{},"
                        + "\"seedProviderUrls\":[\"http://127.0.0.1:8080\"]}",
                NodeTarget.class);
        assertThat(target.generation()).isEqualTo(3);
        assertThat(target.transfer()).isNull();
        assertThat(target.ports().storage()).isEqualTo(7000);
        assertThat(Json.parse(Json.text(target), NodeTarget.class)).isEqualTo(target);
    }

    @Test
    void a_node_in_the_report_of_an_older_server_has_no_host_id() {
        DatacenterReport report = Json.parse(
                "{\"datacenter\":\"dc2\",\"servers\":[\"http://127.0.0.1:8081\"],\"machines\":3,"
                        + "\"at\":\"2026-01-02T03:04:05Z\",\"clusters\":[{\"cluster\":\"rides\",\"created\":true,"
                        + "\"deleting\":false,\"destroyData\":false,\"settledSpecVersion\":1,"
                        + "\"nodes\":[{\"node\":\"rides/dc2/node-0\",\"storageEndpoint\":\"127.1.2.1:7000\","
                        + "\"seed\":true,\"joined\":true,\"mode\":\"NORMAL\",\"activity\":\"serving requests\"}]}]}",
                DatacenterReport.class);
        assertThat(report.clusters().get(0).nodes())
                .containsExactly(new DatacenterReport.NodePart(
                        NodeId.of("rides/dc2/node-0"),
                        null,
                        "127.1.2.1:7000",
                        true,
                        true,
                        OperatingMode.NORMAL,
                        "serving requests",
                        null));
        assertThat(report.clusters().get(0).trust())
                .as("authorities that its nodes have loaded")
                .isEmpty();
    }

    @Test
    void what_a_release_without_tls_for_clients_wrote_has_none() {
        assertThat(Json.parse("{\"internode\":\"REQUIRED\"}", TlsSpec.class)).isEqualTo(TlsSpec.INTERNODE);
        assertThat(Json.parse("{\"chain\":[],\"trust\":[]}", IdentityUpdate.class)
                        .cql())
                .isEmpty();
        TlsStatus status = Json.parse("{\"trust\":[]}", TlsStatus.class);
        assertThat(status.knowsCql()).isFalse();
        assertThat(status.cql()).isNull();
        assertThat(status.loaded()).as("not known").isNull();
    }
}
