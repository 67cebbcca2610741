package io.ringmaster.pool.kubernetes.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.ringmaster.pool.kubernetes.Samples;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Volumes of 10 GiB in several states, and what they add to the disk of n1. */
class NodeDisksTest {
    private static final Node N1 = node("n1", "'kubernetes.io/hostname': 'host-1'");
    private static final String OWN = "'namespace': 'rides-dc1', 'name': 'rides-dc1-node-0'";
    private static final String ON_N1 = on("kubernetes.io/hostname", "host-1");

    private final StringBuilder table = new StringBuilder();

    private static Node node(String name, String labels) {
        return Samples.read(
                """
                {'metadata': {'name': '%s', 'labels': {%s}}, 'spec': {},
                 'status': {'allocatable': {'ephemeral-storage': '%d'}}}"""
                        .formatted(name, labels, 77L << 30),
                Node.class);
    }

    private static String on(String key, String value) {
        return """
                'nodeAffinity': {'required': {'nodeSelectorTerms': [{'matchExpressions': [
                  {'key': '%s', 'operator': 'In', 'values': ['%s']}]}]}}"""
                .formatted(key, value);
    }

    private static PersistentVolume volume(String annotations, String spec, String phase) {
        return Samples.read(
                """
                {'metadata': {'name': 'v', 'annotations': {%s}}, 'spec': {'capacity': {'storage': '10Gi'}, %s},
                 'status': {'phase': '%s'}}"""
                        .formatted(annotations, spec, phase),
                PersistentVolume.class);
    }

    private static PersistentVolume local(String spec, String phase) {
        return volume("", "'storageClassName': 'local-disks', " + spec, phase);
    }

    private static PersistentVolume free() {
        return local(ON_N1, "Available");
    }

    private void row(String name, Node node, PersistentVolume... volumes) {
        long bytes = NodeDisks.bytes(node, Samples.SETTINGS, List.of(volumes), Map.of("rides-dc1-node-0", 4L << 30));
        table.append(name).append(": ").append(bytes >> 30).append('\n');
    }

    @Test
    void the_volumes_of_the_class_on_the_machine_that_are_free_or_its_own() {
        row("free", N1, free(), free());
        row("own", N1, free(), local(ON_N1 + ", 'claimRef': {" + OWN + "}", "Bound"));
        row("other claim", N1, free(), local(ON_N1 + ", 'claimRef': {'namespace': 'rides-dc1', 'name': 'x'}", "Bound"));
        row(
                "other namespace",
                N1,
                free(),
                local(ON_N1 + ", 'claimRef': {'namespace': 'x', 'name':" + " 'rides-dc1-node-0'}", "Bound"));
        row("bound to none", N1, free(), local(ON_N1, "Bound"));
        row("released", N1, free(), local(ON_N1 + ", 'claimRef': {" + OWN + "}", "Released"));
        row("failed", N1, free(), local(ON_N1, "Failed"));
        row("pending", N1, free(), local(ON_N1, "Pending"));
        row("other class", N1, free(), volume("", "'storageClassName': 'x', " + ON_N1, "Available"));
        row("no class", N1, free(), volume("", ON_N1, "Available"));
        row("other machine", N1, free(), local(on("kubernetes.io/hostname", "host-2"), "Available"));
        row("zone", N1, free(), local(on("topology.kubernetes.io/zone", "host-1"), "Available"));
        row("without a machine", N1, free(), local("'accessModes': []", "Available"));
        row("machine without volumes", node("n2", "'kubernetes.io/hostname': 'host-2'"), free());
        row("no host label", node("host-1", ""), free());
        assertThat(table.toString())
                .isEqualTo(
                        """
                free: 20
                own: 14
                other claim: 10
                other namespace: 10
                bound to none: 10
                released: 10
                failed: 10
                pending: 10
                other class: 10
                no class: 10
                other machine: 10
                zone: 10
                without a machine: 10
                machine without volumes: 0
                no host label: 10
                """);
    }

    @Test
    void a_class_that_makes_volumes_on_demand_takes_the_disk_of_the_machine() {
        row("no volumes", N1);
        row("other class", N1, volume("", "'storageClassName': 'x', " + ON_N1, "Available"));
        row(
                "made on demand",
                N1,
                volume(
                        "'pv.kubernetes.io/provisioned-by': 'rancher.io/local-path'",
                        "'storageClassName': 'local-disks', 'claimRef': {" + OWN + "}, " + ON_N1,
                        "Bound"));
        row("on no machine", N1, local("'accessModes': []", "Available"));
        row("no amount", Samples.read("{'metadata': {'name': 'n1'}, 'spec': {}, 'status': {}}", Node.class));
        assertThat(table.toString())
                .isEqualTo(
                        """
                no volumes: 77
                other class: 77
                made on demand: 77
                on no machine: 77
                no amount: 0
                """);
    }

    @Test
    void the_settings_count_before_all() {
        for (List<PersistentVolume> volumes :
                Stream.of(free(), volume("", ON_N1, "Available")).map(List::of).toList()) {
            assertThat(NodeDisks.bytes(N1, Samples.settings(5L << 30), volumes, Map.of()))
                    .isEqualTo(5L << 30);
        }
    }
}
