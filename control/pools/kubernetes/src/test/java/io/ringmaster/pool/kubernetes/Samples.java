package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.base.Doors;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ClaimTemplate;
import io.ringmaster.pool.kubernetes.objects.PodTemplate;
import io.ringmaster.ports.FakeAuthorities;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An allocation of the pool of dc1, and its objects. */
public final class Samples {
    public static final DatacenterName DC = new DatacenterName("dc1");
    public static final String VERSION = "5.0.9";
    /** Executors without doors. */
    static final Doors PLAIN = new Doors(new FakeAuthorities(DC), false, Instant::now);

    public static final KubernetesPoolSettings SETTINGS = settings(null);

    public static final Allocation ALLOCATION = new Allocation(
            new AllocationId("rides-dc1-node-0"),
            NodeId.of("rides/dc1/node-0"),
            new MachineName("n1"),
            new NodePorts(7000, 7001, 9042, 9500),
            new NodeResources(1500, 2L << 30, 1L << 30, 20L << 30));

    public static final ClaimNotes RESERVED = ClaimNotes.reserved(ALLOCATION);
    public static final ClaimNotes.Run RUN = new ClaimNotes.Run(7, VERSION);
    public static final ClaimNotes RUNNING = RESERVED.running(ALLOCATION, RUN);

    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private Samples() {}

    public static KubernetesPoolSettings settings(@Nullable Long diskBytes) {
        return new KubernetesPoolSettings(
                DC,
                null,
                null,
                "rides-dc1",
                Map.of("pool", "cassandra"),
                "topology.kubernetes.io/zone",
                "registry.example/cassandra:{cassandra}",
                "IfNotPresent",
                "local-disks",
                "backup-locations",
                diskBytes,
                PLAIN);
    }

    /** As the API server returns it. */
    public static PersistentVolumeClaim claim() {
        return new PersistentVolumeClaimBuilder(ClaimTemplate.claim(SETTINGS, ALLOCATION))
                .editMetadata()
                .withUid("11111111-2222-3333-4444-555555555555")
                .withResourceVersion("41")
                .endMetadata()
                .build();
    }

    public static Pod pod() {
        return PodTemplate.pod(SETTINGS, claim(), RUNNING, RUN, false);
    }

    public static Pod wipe() {
        return PodTemplate.wipe(SETTINGS, claim(), RUNNING, VERSION);
    }

    /** @param status in JSON, with single quotes */
    public static Pod with(Pod pod, String status) {
        return new PodBuilder(pod).withStatus(read(status, PodStatus.class)).build();
    }

    /** @param json with single quotes */
    public static <T> T read(String json, Class<T> type) {
        return JSON.unmarshal(json.replace('\'', '"'), type);
    }

    public static String json(Object object) {
        return JSON.asJson(object);
    }
}
