package io.ringmaster.pool.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.ports.ConfigSection;
import io.ringmaster.ports.FakeAuthorities;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContext;
import io.ringmaster.ports.PoolFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesPoolFactoryTest {
    private static final Map<String, Object> LEAST = Map.of(
            "kubeconfig",
            "config",
            "namespace",
            "rides-dc1",
            "image",
            "cassandra:{cassandra}",
            "storage_class",
            "local-disks");

    private final List<String> errors = new ArrayList<>();

    @TempDir
    Path folder;

    private Supplier<Pool> configure(Map<String, ?> values) {
        ConfigSection section = ConfigSection.root(Map.of("pool", Map.of("kubernetes", values)), folder, errors)
                .section("pool")
                .section("kubernetes");
        return new KubernetesPoolFactory()
                .configure(
                        new PoolContext(
                                Samples.DC, folder.resolve("state"), null, new FakeAuthorities(Samples.DC), false),
                        section);
    }

    private void assertError(String field, Object value, String error) {
        Map<String, Object> values = new HashMap<>(LEAST);
        values.put(field, value);
        errors.clear();
        configure(values);
        assertThat(errors).containsExactly("pool.kubernetes." + error);
    }

    @Test
    void a_server_finds_it_by_its_name() {
        assertThat(PoolFactory.all()).containsKey("kubernetes");
    }

    @Test
    void a_pod_needs_no_kubeconfig() {
        Map<String, Object> values = new HashMap<>(LEAST);
        values.remove("kubeconfig");
        configure(values);
        assertThat(errors).isEmpty();
        values.put("context", "admin@east");
        configure(values);
        assertThat(errors)
                .containsExactly("pool.kubernetes.context: names a context of a kubeconfig, and there is no field"
                        + " kubeconfig");
    }

    @Test
    void four_fields_are_enough_and_nothing_is_opened_before_it_must_be() {
        Supplier<Pool> opener = configure(LEAST);
        assertThat(errors).isEmpty();
        assertThat(opener).isNotNull();
        assertThat(folder.resolve("state")).doesNotExist();
    }

    @Test
    void all_fields_can_be_set() {
        Map<String, Object> values = new HashMap<>(LEAST);
        values.putAll(Map.of(
                "kubeconfig", "kube/config",
                "context", "admin@east",
                "machines", Map.of("pool", "cassandra", "example.com/ssd", true, "empty", ""),
                "rack_label", "example.com/rack",
                "image_pull_policy", "Never",
                "backup_locations_secret", "backup-locations",
                "disk_per_machine", "1.5TiB"));
        Supplier<Pool> opener = configure(values);
        assertThat(errors).isEmpty();
        assertThatThrownBy(opener::get)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pool.kubernetes.kubeconfig: " + folder.resolve("kube/config") + " is not a readable file");
    }

    @Test
    void every_missing_field_is_named() {
        configure(Map.of());
        assertThat(errors)
                .containsExactlyInAnyOrder(
                        "pool.kubernetes.namespace: missing; must be the name of a namespace",
                        "pool.kubernetes.image: missing; must be the name of an image; {cassandra} in it stands for the"
                                + " version",
                        "pool.kubernetes.storage_class: missing; must be the name of a StorageClass");
    }

    @Test
    void every_wrong_field_is_one_line() {
        assertError("namespace", "Rides", "namespace: 'Rides' must be the name of a namespace");
        assertError("namespace", "a.b", "namespace: 'a.b' must be the name of a namespace");
        assertError("namespace", "n".repeat(64), "namespace: '" + "n".repeat(64) + "' must be the name of a namespace");
        assertError("namespace", List.of("a"), "namespace: must be the name of a namespace");
        assertError(
                "image",
                "two words",
                "image: 'two words' must be the name of an image; {cassandra} in it stands for the version");
        assertError("image_pull_policy", "never", "image_pull_policy: 'never' must be Always, IfNotPresent or Never");
        assertError("storage_class", "-x", "storage_class: '-x' must be the name of a StorageClass");
        assertError("backup_locations_secret", "-x", "backup_locations_secret: '-x' must be the name of a Secret");
        assertError("rack_label", "a/b/c", "rack_label: 'a/b/c' must be the key of a label of Nodes");
        assertError("rack_label", "rack-", "rack_label: 'rack-' must be the key of a label of Nodes");
        assertError(
                "disk_per_machine",
                "100GB",
                "disk_per_machine: '100GB' must be a size in KiB, MiB, GiB or TiB, such as 512MiB or 1.5GiB");
        assertError("machines", List.of("a"), "machines: must be a mapping");
        assertError("machines", Map.of("pool", "two words"), "machines.pool: 'two words' must be the value of a label");
        assertError("machines", Map.of("pool", List.of()), "machines.pool: must be the value of a label");
        assertError("machines", Map.of("two words", "x"), "machines.two words: must be the key of a label of Nodes");
        assertError("context", Map.of(), "context: must be the name of a context of the kubeconfig");
        assertError("kubeconfig", Map.of(), "kubeconfig: must be a file");
        assertError(
                "nodes",
                3,
                "nodes: unknown field; known are backup_locations_secret, context, disk_per_machine, image,"
                        + " image_pull_policy, kubeconfig, machines, namespace, rack_label, storage_class");
    }

    @Test
    void all_errors_are_reported_at_once() {
        configure(Map.of("namespace", "A", "image", "", "storage_class", "B", "machines", Map.of("x", "-"), "y", 1));
        assertThat(errors)
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactlyInAnyOrder(
                        "pool.kubernetes.namespace",
                        "pool.kubernetes.image",
                        "pool.kubernetes.storage_class",
                        "pool.kubernetes.machines.x",
                        "pool.kubernetes.y");
    }
}
