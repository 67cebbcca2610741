package io.ringmaster.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.node.VolumeUse;
import io.ringmaster.model.plan.NodeChangeKind;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.SpecRecordBuilder;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.Keep;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.RestoreSource;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

    private static NodeStatus status() {
        return new NodeStatus(
                NodeId.of("rides/dc1/node-0"),
                3,
                2,
                0,
                OperatingMode.JOINING,
                "reading system tables",
                AT,
                Map.of(Stage.EXECUTOR, AT),
                12,
                null,
                0,
                null,
                null,
                null,
                Map.of());
    }

    @Test
    void a_value_survives_writing_and_parsing() {
        assertThat(Json.parse(Json.text(status()), NodeStatus.class)).isEqualTo(status());
    }

    @Test
    void the_use_of_a_volume_survives_and_older_executors_report_none() {
        NodeStatus measured = NodeStatusBuilder.builder(status())
                .volume(new VolumeUse(133, 41, 100_000, 12_000))
                .build();
        String text = Json.text(measured);
        String use =
                ",\"volume\":{\"usedBytes\":133,\"snapshotBytes\":41,\"totalBytes\":100000," + "\"usableBytes\":12000}";
        assertThat(text).contains(use);
        assertThat(Json.parse(text, NodeStatus.class)).isEqualTo(measured);
        assertThat(Json.parse(text.replace(use, ""), NodeStatus.class)).isEqualTo(status());
    }

    @Test
    void names_are_plain_strings_and_null_fields_are_omitted() {
        assertThat(Json.text(status()))
                .contains("\"node\":\"rides/dc1/node-0\"")
                .doesNotContain("daemonPid");
    }

    @Test
    void unknown_fields_are_skipped() {
        String newer = Json.text(status()).replaceFirst("\\{", "{\"added\":1,");
        assertThat(Json.parse(newer, NodeStatus.class)).isEqualTo(status());
    }

    @Test
    void a_part_of_a_request_of_a_server_that_does_not_report_where_it_is_over_is_read() {
        RequestPart part = new RequestPart(RequestPart.State.WAITING, null, AT, "waits")
                .overIn(new DatacenterName("dc3"))
                .overIn(new DatacenterName("dc2"));
        String text = Json.text(part);
        assertThat(text).endsWith(",\"overIn\":[\"dc2\",\"dc3\"]}");
        assertThat(Json.parse(text, RequestPart.class)).isEqualTo(part);
        assertThat(Json.parse(text.replace(",\"overIn\":[\"dc2\",\"dc3\"]", ""), RequestPart.class))
                .isEqualTo(new RequestPart(RequestPart.State.WAITING, null, AT, "waits"));
    }

    @Test
    void a_spec_without_an_incarnation_is_read_and_is_the_same_cluster_as_its_newer_versions() {
        SpecRecord stored = spec(1, "dc1-1");
        assertThat(Json.parse(Json.text(stored), SpecRecord.class)).isEqualTo(stored);
        SpecRecord old = Json.parse(Json.text(stored).replace(",\"incarnation\":\"dc1-1\"", ""), SpecRecord.class);
        assertThat(old).isEqualTo(spec(1, null));
        assertThat(old.isSameCluster(spec(2, null))).isTrue();
        assertThat(old.isSameCluster(spec(2, "dc1-2"))).isFalse();
    }

    @Test
    void a_step_keeps_the_kind_of_its_change_and_one_of_an_older_version_has_none() {
        StepState step = new StepState(
                "dc1 node-0",
                StepState.DEPLOY_NODE,
                Map.of("node", "rides/dc1/node-0", "spec_version", "2"),
                Map.of(),
                StepState.Status.PENDING,
                null,
                null,
                "restart: it is DOWN",
                null,
                null);
        StepState changing = step.changing(NodeChangeKind.RESTART);
        assertThat(Json.parse(Json.text(changing), StepState.class)).isEqualTo(changing);
        assertThat(Json.text(step))
                .isEqualTo("{\"name\":\"dc1 node-0\",\"type\":\"deploy-node\",\"args\":{\"node\":\"rides/dc1/node-0\","
                        + "\"spec_version\":\"2\"},\"memory\":{},\"status\":\"PENDING\","
                        + "\"reason\":\"restart: it is DOWN\"}");
        assertThat(Json.parse(Json.text(step), StepState.class)).isEqualTo(step);
    }

    @Test
    void an_advice_of_an_older_version_is_a_sentence() {
        Problem problem = Json.parse(
                "{\"code\":\"DISK_FULL\",\"message\":\"no space\",\"nextStep\":\"free some\"}", Problem.class);
        assertThat(problem.nextStep()).isEqualTo(Advice.of("free some"));
        Problem logs = Problem.of(ErrorCode.DAEMON_FAILED, "ended", Advice.nodeLogs(NodeId.of("rides/dc1/node-0")));
        assertThat(Json.parse(Json.text(logs), Problem.class)).isEqualTo(logs);
    }

    @Test
    void records_of_servers_without_restores_are_of_clusters_that_start_empty() {
        RestoreSource source = new RestoreSource("main", new ClusterName("old"), "dc1-1", "20261124T040000Z-3f9c");
        RestoreOrigin.Node node =
                new RestoreOrigin.Node(NodeId.of("old/dc1/node-0"), new RackName("r1"), List.of("-7"), 1, "hash", true);
        SpecRecord restored = SpecRecordBuilder.builder(spec(2, "dc1-2"))
                .spec(spec(2, "dc1-2").spec().with(source))
                .origin(new RestoreOrigin("5.0.9", AT, true, List.of(new DatacenterName("dc1")), List.of(node)))
                .build();
        assertThat(Json.parse(Json.text(restored), SpecRecord.class)).isEqualTo(restored);
        String old = Json.text(spec(2, "dc1-2"));
        assertThat(old).doesNotContain("origin", "restore");
        assertThat(Json.parse(old, SpecRecord.class).origin()).isNull();
        String cluster = Json.text(new ClusterRecord(new ClusterName("rides"), 1, true, false, false));
        assertThat(Json.parse(cluster.replace("\"restored\":false,", ""), ClusterRecord.class)
                        .restored())
                .isFalse();
    }

    @Test
    void a_spec_without_scheduled_backups_reads_as_before() {
        SpecRecord plain = spec(2, "dc1-2");
        assertThat(Json.text(plain)).doesNotContain("backup");
        for (Keep keep : new Keep[] {null, new Keep(4, 7)}) {
            SpecRecord scheduled = SpecRecordBuilder.builder(plain)
                    .spec(plain.spec().with(new BackupSchedule("main", 360, keep, 100L << 20)))
                    .build();
            assertThat(Json.parse(Json.text(scheduled), SpecRecord.class)).isEqualTo(scheduled);
        }
    }

    private static SpecRecord spec(long version, @Nullable String incarnation) {
        ClusterName rides = new ClusterName("rides");
        ClusterSpec spec = new ClusterSpec(
                rides,
                "5.0.9",
                Preset.DEVELOPMENT,
                List.of(),
                new NodeResources(1000, 2, 1, 3),
                new JvmSpec(JvmSpec.Collector.SERIAL, List.of()),
                Map.of(),
                new PlacementSpec(1));
        return new SpecRecord(rides, version, spec, "", "alice", new DatacenterName("dc1"), AT, incarnation);
    }

    @Test
    void an_invalid_name_is_refused_with_the_allowed_form() {
        String wrong = Json.text(status()).replace("rides/dc1/node-0", "rides");
        assertThatThrownBy(() -> Json.parse(wrong, NodeStatus.class))
                .isInstanceOf(UncheckedIOException.class)
                .hasStackTraceContaining("must look like rides/dc1/node-0");
    }
}
