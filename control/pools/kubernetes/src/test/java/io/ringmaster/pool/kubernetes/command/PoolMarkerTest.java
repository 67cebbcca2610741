package io.ringmaster.pool.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.pool.base.EpochFence;
import io.ringmaster.pool.kubernetes.Samples;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.PoolRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The marker of a namespace, on a played API server. */
class PoolMarkerTest {
    private static final String RECORD = "kubernetes.pool-id";

    private final PlayedObject kubernetes;
    private final KubernetesClient client;
    private final FakePoolRecords records = new FakePoolRecords();
    private final PoolMarker marker;

    PoolMarkerTest() throws IOException {
        kubernetes = new PlayedObject("configmaps");
        client = kubernetes.client();
        marker = another();
    }

    /** As after a restart, or on another server of the datacenter. */
    private PoolMarker another() {
        return new PoolMarker(client, Samples.SETTINGS);
    }

    @AfterEach
    void close() {
        client.close();
        kubernetes.close();
    }

    private String known() {
        return records.get(RECORD)
                .map(b -> new String(b, StandardCharsets.UTF_8))
                .orElse("");
    }

    private void know(String value) {
        records.put(RECORD, value.getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, String> data() {
        Map<String, String> data = new TreeMap<>();
        kubernetes
                .object()
                .path("data")
                .properties()
                .forEach(e -> data.put(e.getKey(), e.getValue().asText()));
        return data;
    }

    private void put(Map<String, String> data) {
        kubernetes.put(new ConfigMapBuilder()
                .withNewMetadata()
                .withName("ringmaster-pool")
                .withNamespace(Samples.SETTINGS.namespace())
                .endMetadata()
                .withData(data)
                .build());
    }

    private String id() {
        return data().getOrDefault("id", "");
    }

    /** Records that fail like those of a server that dies with a put. */
    private final class Dying implements PoolRecords {
        private int left;

        Dying(int puts) {
            left = puts;
        }

        @Override
        public Optional<byte[]> get(String key) {
            return records.get(key);
        }

        @Override
        public void put(String key, byte[] value) {
            if (left-- == 0) {
                throw new IllegalStateException("dead");
            }
            records.put(key, value);
        }

        @Override
        public void remove(String key) {
            records.remove(key);
        }
    }

    @Test
    void a_fresh_namespace_is_taken() {
        marker.takeOwnership(records);
        assertThat(id()).isNotEmpty().isEqualTo(known());
        assertThat(data()).containsOnlyKeys("id");
        assertThat(kubernetes
                        .object()
                        .at("/metadata/labels")
                        .get("ringmaster.io/datacenter")
                        .asText())
                .isEqualTo("dc1");
    }

    @Test
    void the_same_namespace_is_taken_again() {
        marker.takeOwnership(records);
        String id = id();
        another().takeOwnership(records);
        assertThat(id()).isEqualTo(id).isEqualTo(known());
        assertThat(kubernetes.changes()).containsExactly("POST");
    }

    @Test
    void a_ConfigMap_without_an_id_is_completed() {
        put(Map.of("epoch", "4"));
        marker.takeOwnership(records);
        assertThat(data()).containsOnly(Map.entry("id", known()), Map.entry("epoch", "4"));
    }

    @Test
    void a_namespace_of_another_Ringmaster_is_refused_with_the_next_step() {
        for (String known : List.of("", "mine", "new mine")) {
            if (!known.isEmpty()) {
                know(known);
            }
            put(Map.of("id", "theirs"));
            assertThatThrownBy(() -> marker.takeOwnership(records))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("pool.kubernetes.namespace: rides-dc1 belongs to another Ringmaster, or to another"
                            + " datacenter of this one; choose another namespace, or stop its server first and let go of what"
                            + " is in it: kubectl delete configmap ringmaster-pool -n rides-dc1");
            assertThat(known()).isEqualTo(known);
            assertThat(kubernetes.changes()).isEmpty();
        }
    }

    @Test
    void a_namespace_that_lost_its_marker_is_refused_with_the_next_step() {
        marker.takeOwnership(records);
        String id = id();
        kubernetes.remove();
        assertThatThrownBy(() -> another().takeOwnership(records))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("pool.kubernetes.namespace: rides-dc1 is not the one in which the nodes of dc1 were"
                        + " launched; correct namespace, kubeconfig or context, or make it this one again: kubectl"
                        + " create configmap ringmaster-pool -n rides-dc1 --from-literal=id=" + id
                        + "; if no node there is needed any more, start with an empty state_directory");
        assertThat(id()).isEmpty();
        put(Map.of("id", id));
        another().takeOwnership(records);
        assertThat(known()).isEqualTo(id);
    }

    @Test
    void a_crash_between_two_changes_is_healed() {
        for (int puts = 0; puts < 2; puts++) {
            records.remove(RECORD);
            kubernetes.remove();
            Dying dying = new Dying(puts);
            assertThatThrownBy(() -> another().takeOwnership(dying)).hasMessage("dead");
            String noted = known();
            assertThat(noted).startsWith(puts == 0 ? "" : "new ");
            another().takeOwnership(records);
            assertThat(known()).isNotEmpty().isEqualTo(id());
            assertThat(noted.isEmpty() || noted.equals("new " + id())).isTrue();
        }
        know("new noted");
        kubernetes.remove();
        another().takeOwnership(records);
        assertThat(id()).as("a crash before the ConfigMap").isEqualTo("noted").isEqualTo(known());
    }

    @Test
    void of_two_that_take_a_namespace_at_once_one_is_refused() {
        for (Runnable before : List.<Runnable>of(kubernetes::remove, () -> put(Map.of("epoch", "4")))) {
            before.run();
            kubernetes.beforeNextChange(() -> put(Map.of("id", "theirs")));
            assertThatThrownBy(() -> another().takeOwnership(records))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("409");
            assertThat(id()).isEqualTo("theirs");
            assertThatThrownBy(() -> another().takeOwnership(records))
                    .hasMessageContaining("belongs to another Ringmaster");
        }
    }

    @Test
    void an_epoch_is_kept_beside_the_id() throws IOException {
        assertThat(marker.read()).isZero();
        marker.takeOwnership(records);
        assertThat(marker.read()).isZero();
        assertThat(marker.exists()).isFalse();
        marker.write(5);
        assertThat(marker.exists()).isTrue();
        PoolMarker other = another();
        other.takeOwnership(records);
        assertThat(other.read()).isEqualTo(5);
        assertThat(other.exists()).isTrue();
        other.write(6);
        assertThat(data()).isEqualTo(Map.of("id", known(), "epoch", "6"));
        other.delete();
        assertThat(other.exists()).isFalse();
        assertThat(marker.read()).isZero();
        assertThat(marker.exists()).isFalse();
        assertThat(id()).isEqualTo(known());
    }

    @Test
    void the_epoch_of_a_later_leader_stays() throws IOException {
        marker.takeOwnership(records);
        marker.write(5);
        PoolMarker later = another();
        later.takeOwnership(records);
        later.write(7);
        assertThatThrownBy(() -> marker.write(6))
                .isInstanceOf(IOException.class)
                .hasMessage("the ConfigMap ringmaster-pool of the namespace rides-dc1 holds the epoch 7 of a later"
                        + " leader");
        kubernetes.beforeNextChange(() -> put(Map.of("id", known(), "epoch", "9")));
        assertThatThrownBy(() -> marker.write(8))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("409");
        assertThat(data()).containsEntry("epoch", "9");
    }

    @Test
    void a_marker_that_was_deleted_while_its_pool_runs_comes_back_with_its_id() throws IOException {
        marker.takeOwnership(records);
        marker.write(5);
        kubernetes.remove();
        assertThat(marker.read()).isZero();
        assertThat(marker.exists()).isFalse();
        marker.write(5);
        assertThat(data()).isEqualTo(Map.of("id", known(), "epoch", "5"));
        another().takeOwnership(records);
    }

    @Test
    void nothing_is_read_or_written_once_another_Ringmaster_has_taken_the_namespace() throws IOException {
        marker.takeOwnership(records);
        marker.write(5);
        Map<String, String> theirs = Map.of("id", "theirs", "epoch", "5");
        put(theirs);
        // a command of epoch 5 writes nothing: what it reads before must stop it
        for (ThrowingCallable use : List.<ThrowingCallable>of(marker::read, () -> marker.write(6), marker::delete)) {
            assertThatThrownBy(use)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the ConfigMap ringmaster-pool of the namespace rides-dc1 belongs to another"
                            + " Ringmaster by now");
        }
        assertThat(data()).isEqualTo(theirs);
    }

    @Test
    void an_epoch_that_cannot_be_read_is_reported_with_the_next_step() throws IOException {
        put(Map.of("epoch", "five"));
        assertThatThrownBy(marker::read)
                .isInstanceOf(IOException.class)
                .hasMessage("the ConfigMap ringmaster-pool of the namespace rides-dc1 holds no number as epoch; if no"
                        + " other server of this datacenter runs, remove its epoch with kubectl edit configmap"
                        + " ringmaster-pool -n rides-dc1");
        kubernetes.close();
        assertThatThrownBy(marker::read)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the API server of Kubernetes does not answer: ");
        assertThatThrownBy(() -> marker.write(1)).isInstanceOf(IOException.class);
    }

    @Test
    void the_fence_of_a_restarted_server_refuses_the_former_leader_until_the_epoch_is_removed() throws IOException {
        marker.takeOwnership(records);
        marker.write(5);
        List<String> setBack = new ArrayList<>();
        EpochFence fence = new EpochFence(marker, setBack::add);
        assertThat(fence.accepts(4, "kill")).isFalse();
        assertThat(setBack).singleElement().asString().contains("remove its epoch with kubectl edit configmap");
        put(Map.of("id", known()));
        fence.observe(marker.read());
        assertThat(fence.accepts(4, "kill")).isTrue();
        fence.store(4);
        assertThat(data()).containsEntry("epoch", "4");
    }
}
