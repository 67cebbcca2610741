package io.ringmaster.pool.kubernetes.command;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.ringmaster.json.Json;
import io.ringmaster.pool.base.EpochStorage;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.ports.PoolRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The ConfigMap {@code ringmaster-pool}, by which a namespace belongs to one datacenter of one Ringmaster. It holds the
 * id that the store has too, and the highest epoch whose commands were carried out.
 */
public final class PoolMarker implements EpochStorage {
    private static final String NAME = "ringmaster-pool";
    private static final String RECORD = "kubernetes.pool-id";
    private static final String ID = "id";
    private static final String EPOCH = "epoch";
    /** Before the id in the store, until the namespace has it too. */
    private static final String NEW = "new ";

    private final KubernetesPoolSettings settings;
    private final NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> markers;
    /** Whether the last look found an epoch. */
    private volatile boolean exists;

    /** Of this pool, once it is claimed. */
    private volatile String id = "";

    public PoolMarker(KubernetesClient client, KubernetesPoolSettings settings) {
        this.settings = settings;
        markers = client.configMaps().inNamespace(settings.namespace());
    }

    /**
     * Checks that the namespace is the one in which the nodes were launched, and takes a namespace that has no owner.
     *
     * @throws IllegalStateException it is another one, or belongs to another Ringmaster
     */
    public void takeOwnership(PoolRecords records) {
        String known = records.get(RECORD)
                .map(b -> new String(b, StandardCharsets.UTF_8))
                .orElse("");
        @Nullable ConfigMap before = markers.withName(NAME).get();
        String here = value(before, ID);
        if (!here.isEmpty() && (here.equals(known) || (NEW + here).equals(known))) {
            put(records, here);
            id = here;
        } else if (!here.isEmpty()) {
            throw new IllegalStateException("pool.kubernetes.namespace: " + settings.namespace()
                    + " belongs to another Ringmaster, or to another datacenter of this one; choose another namespace,"
                    + " or stop its server first and let go of what is in it: kubectl delete configmap " + NAME + " -n "
                    + settings.namespace());
        } else if (!known.isEmpty() && !known.startsWith(NEW)) {
            throw new IllegalStateException("pool.kubernetes.namespace: " + settings.namespace()
                    + " is not the one in which the nodes of " + settings.datacenter() + " were launched; correct"
                    + " namespace, kubeconfig or context, or make it this one again: kubectl create configmap " + NAME
                    + " -n " + settings.namespace() + " --from-literal=id=" + known
                    + "; if no node there is needed any more, start with an empty state_directory");
        } else {
            String next = known.isEmpty() ? UUID.randomUUID().toString() : known.substring(NEW.length());
            put(records, NEW + next);
            set(before, Map.of(ID, next));
            put(records, next);
            id = next;
        }
    }

    private static void put(PoolRecords records, String value) {
        records.put(RECORD, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets these entries, and leaves the others; fails if the ConfigMap has changed since it was read. */
    private void set(@Nullable ConfigMap before, Map<String, String> data) {
        if (before == null) {
            ConfigMap marker = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName(NAME)
                    .withNamespace(settings.namespace())
                    .withLabels(ObjectNames.ofPool(settings.datacenter()))
                    .endMetadata()
                    .withData(data)
                    .build();
            markers.resource(marker).create();
        } else {
            String version = before.getMetadata().getResourceVersion();
            markers.resource(before)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            Json.text(Map.of("metadata", Map.of("resourceVersion", version), "data", data)));
        }
    }

    @Override
    public long read() throws IOException {
        try {
            return epoch(own());
        } catch (KubernetesClientException e) {
            throw new IOException(ApiCalls.reason(e), e);
        }
    }

    /** As it is now; fails if the namespace was taken from this pool, whatever the epoch of the other one. */
    private @Nullable ConfigMap own() throws IOException {
        @Nullable ConfigMap marker = markers.withName(NAME).get();
        String owner = value(marker, ID);
        if (!id.isEmpty() && !owner.isEmpty() && !owner.equals(id)) {
            throw new IOException(place() + " belongs to another Ringmaster by now");
        }
        return marker;
    }

    private long epoch(@Nullable ConfigMap marker) throws IOException {
        String text = value(marker, EPOCH);
        exists = !text.isEmpty();
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException(
                    place() + " holds no number as epoch; if no other server of this datacenter runs, " + removal(), e);
        }
    }

    private static String value(@Nullable ConfigMap marker, String key) {
        return Optional.ofNullable(marker)
                .map(ConfigMap::getData)
                .map(data -> data.get(key))
                .orElse("");
    }

    /** As of the last {@link #read}. */
    @Override
    public boolean exists() {
        return exists;
    }

    @Override
    public void write(long epoch) throws IOException {
        try {
            ConfigMap before = own();
            long there = epoch(before);
            if (there > epoch) {
                throw new IOException(place() + " holds the epoch " + there + " of a later leader");
            }
            // with the id, because somebody may have deleted all of it
            set(before, Map.of(ID, id, EPOCH, Long.toString(epoch)));
            exists = true;
        } catch (KubernetesClientException e) {
            throw new IOException(ApiCalls.reason(e), e);
        }
    }

    @Override
    public void delete() throws IOException {
        try {
            ConfigMap before = own();
            if (before != null) {
                set(before, Map.of(EPOCH, ""));
            }
            exists = false;
        } catch (KubernetesClientException e) {
            throw new IOException(ApiCalls.reason(e), e);
        }
    }

    @Override
    public String place() {
        return "the ConfigMap " + NAME + " of the namespace " + settings.namespace();
    }

    @Override
    public String removal() {
        return "remove its epoch with kubectl edit configmap " + NAME + " -n " + settings.namespace();
    }
}
