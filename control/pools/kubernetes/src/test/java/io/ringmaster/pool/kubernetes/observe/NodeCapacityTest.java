package io.ringmaster.pool.kubernetes.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.pool.kubernetes.Samples;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Nodes, and the machines that they are reported as. */
class NodeCapacityTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final long DISK = 100L << 30;
    private static final String READY = "'conditions': [{'type': 'Ready', 'status': 'True'}]";

    private final StringBuilder table = new StringBuilder();

    private static Node node(String labels, String spec, String status) {
        return Samples.read(
                """
                {'metadata': {'name': 'n1', 'labels': {%s}}, 'spec': {%s}, 'status': {%s}}"""
                        .formatted(labels, spec, status),
                Node.class);
    }

    private static Node node(String cpu, String memory) {
        return node(
                "'" + ZONE + "': 'r1'",
                "",
                """
                'allocatable': {'cpu': '%s', 'memory': '%s'}, %s""".formatted(cpu, memory, READY));
    }

    private static Node tainted(String taint) {
        return node("'" + ZONE + "': 'r1'", "'taints': [{" + taint + "}]", READY);
    }

    private void row(String name, Node node, boolean offered, String... pods) {
        List<Pod> others = Stream.of(pods)
                .map(spec -> Samples.read("{'metadata': {'name': 'other'}, 'spec': {" + spec + "}}", Pod.class))
                .toList();
        table.append(name).append(": ");
        table.append(NodeCapacity.machine(node, ZONE, DISK, others, offered)
                .map(NodeCapacityTest::text)
                .orElse("none"));
        table.append('\n');
    }

    private static String text(Machine m) {
        assertThat(m.name().value()).isEqualTo("n1");
        assertThat(m.diskBytes()).isEqualTo(DISK);
        assertThat(m.address()).as("each allocation has one of its own").isNull();
        assertThat(m.ports()).isNull();
        return m.rack() + " " + m.state() + (m.cordoned() ? " cordoned " : " ") + m.cpuMillis() + "m "
                + (m.memoryBytes() >> 20) + " MiB";
    }

    private static String container(String cpu, String memory) {
        return "{'name': 'c', 'resources': {'requests': {'cpu': '" + cpu + "', 'memory': '" + memory + "'}}}";
    }

    private static String sidecar(String cpu, String memory) {
        return "{'restartPolicy': 'Always', " + container(cpu, memory).substring(1);
    }

    @Test
    void what_the_pods_of_others_request_is_not_free() {
        Node node = node("4", "8Gi");
        row("empty", node, true);
        row("one pod", node, true, "'containers': [" + container("250m", "512Mi") + "]");
        row("its limits only", node, true, "'containers': [{'name': 'c', 'resources': {'limits': {'cpu': '1'}}}]");
        row("no resources", node, true, "'containers': [{'name': 'c'}]");
        row("containers", node, true, "'containers': [" + container("100m", "1Gi") + ", " + container("1", "1G") + "]");
        row(
                "larger init",
                node,
                true,
                """
                'containers': [%s], 'initContainers': [%s, %s]"""
                        .formatted(container("100m", "1Gi"), container("1", "256Mi"), container("500m", "2Gi")));
        row(
                "sidecar",
                node,
                true,
                """
                'containers': [%s], 'initContainers': [%s, %s]"""
                        .formatted(container("200m", "1Gi"), container("100m", "64Mi"), sidecar("300m", "1Gi")));
        row(
                "init after a sidecar",
                node,
                true,
                """
                'containers': [%s], 'initContainers': [%s, %s]"""
                        .formatted(container("200m", "1Gi"), sidecar("100m", "1Gi"), container("500m", "2Gi")));
        row(
                "init before a sidecar",
                node,
                true,
                """
                'containers': [%s], 'initContainers': [%s, %s]"""
                        .formatted(container("200m", "1Gi"), container("500m", "2Gi"), sidecar("100m", "1Gi")));
        row(
                "overhead",
                node,
                true,
                """
                'containers': [%s], 'overhead': {'cpu': '250m', 'memory': '128Mi'}"""
                        .formatted(container("250m", "128Mi")));
        row(
                "two pods",
                node,
                true,
                "'containers': [" + container("1", "1Gi") + "]",
                "'containers': [" + container("2", "2Gi") + "]");
        row("full", node, true, "'containers': [" + container("4", "8Gi") + "]");
        row("more than all", node, true, "'containers': [" + container("5", "9Gi") + "]");
        assertThat(table.toString())
                .isEqualTo(
                        """
                empty: r1 READY 4000m 8192 MiB
                one pod: r1 READY 3750m 7680 MiB
                its limits only: r1 READY 4000m 8192 MiB
                no resources: r1 READY 4000m 8192 MiB
                containers: r1 READY 2900m 6208 MiB
                larger init: r1 READY 3000m 6144 MiB
                sidecar: r1 READY 3500m 6144 MiB
                init after a sidecar: r1 READY 3400m 5120 MiB
                init before a sidecar: r1 READY 3500m 6144 MiB
                overhead: r1 READY 3500m 7936 MiB
                two pods: r1 READY 1000m 5120 MiB
                full: r1 READY 0m 0 MiB
                more than all: r1 READY 0m 0 MiB
                """);
    }

    @Test
    void amounts_are_rounded_so_that_small_changes_are_none() {
        row("millis", node("1999m", "1000Mi"), true);
        row("below a milli", node("2", "1Gi"), true, "'containers': [" + container("100u", "1") + "]");
        row("fractions", node("1.5", "2.5Gi"), true);
        row("Ki", node("16", "32780180Ki"), true);
        row("exponent", node("2e0", "1e9"), true);
        row("none", node("'" + ZONE + "': 'r1'", "", READY), true);
        assertThat(table.toString())
                .isEqualTo(
                        """
                millis: r1 READY 1990m 992 MiB
                below a milli: r1 READY 1990m 1008 MiB
                fractions: r1 READY 1500m 2560 MiB
                Ki: r1 READY 16000m 32000 MiB
                exponent: r1 READY 2000m 944 MiB
                none: r1 READY 0m 0 MiB
                """);
    }

    @Test
    void new_nodes_are_kept_off_cordoned_machines() {
        row("selector", node("1", "1Gi"), false);
        row("unschedulable", node("", "'unschedulable': true", READY), true);
        row("schedulable", node("", "'unschedulable': false", READY), true);
        row("control plane", tainted("'key': 'node-role.kubernetes.io/control-plane', 'effect': 'NoSchedule'"), true);
        row("for others", tainted("'key': 'team', 'value': 'x', 'effect': 'NoExecute'"), true);
        row("rather not", tainted("'key': 'team', 'value': 'x', 'effect': 'PreferNoSchedule'"), true);
        row("disk pressure", tainted("'key': 'node.kubernetes.io/disk-pressure', 'effect': 'NoSchedule'"), true);
        row("away", tainted("'key': 'node.kubernetes.io/unreachable', 'effect': 'NoExecute'"), true);
        row("not ready", tainted("'key': 'node.kubernetes.io/not-ready', 'effect': 'NoSchedule'"), true);
        assertThat(table.toString())
                .isEqualTo(
                        """
                selector: r1 READY cordoned 1000m 1024 MiB
                unschedulable: default READY cordoned 0m 0 MiB
                schedulable: default READY 0m 0 MiB
                control plane: r1 READY cordoned 0m 0 MiB
                for others: r1 READY cordoned 0m 0 MiB
                rather not: r1 READY 0m 0 MiB
                disk pressure: r1 READY cordoned 0m 0 MiB
                away: r1 READY 0m 0 MiB
                not ready: r1 READY 0m 0 MiB
                """);
    }

    @Test
    void only_a_kubelet_that_says_so_is_ready() {
        for (String status : List.of("True", "False", "Unknown")) {
            row(status, node("", "", "'conditions': [{'type': 'Ready', 'status': '" + status + "'}]"), true);
        }
        row("other condition", node("", "", "'conditions': [{'type': 'DiskPressure', 'status': 'True'}]"), true);
        row("no condition", node("", "", ""), true);
        assertThat(table.toString())
                .isEqualTo(
                        """
                True: default READY 0m 0 MiB
                False: default UNREACHABLE 0m 0 MiB
                Unknown: default UNREACHABLE 0m 0 MiB
                other condition: default UNREACHABLE 0m 0 MiB
                no condition: default UNREACHABLE 0m 0 MiB
                """);
    }

    @Test
    void the_rack_is_a_label_and_names_that_Ringmaster_cannot_use_are_left_out() {
        row("zone", node("'" + ZONE + "': 'eu-west-1a'", "", READY), true);
        row("other label", node("'zone': 'a'", "", READY), true);
        row("empty", node("'" + ZONE + "': ''", "", READY), true);
        row("space", node("'" + ZONE + "': 'a b'", "", READY), true);
        row("long", node("'" + ZONE + "': '" + "a".repeat(64) + "'", "", READY), true);
        row("no labels", Samples.read("{'metadata': {'name': 'n1'}, 'spec': {}, 'status': {}}", Node.class), true);
        row("bad name", Samples.read("{'metadata': {'name': '-n1'}, 'spec': {}, 'status': {}}", Node.class), true);
        assertThat(table.toString())
                .isEqualTo(
                        """
                zone: eu-west-1a READY 0m 0 MiB
                other label: default READY 0m 0 MiB
                empty: default READY 0m 0 MiB
                space: none
                long: none
                no labels: default UNREACHABLE 0m 0 MiB
                bad name: none
                """);
    }
}
