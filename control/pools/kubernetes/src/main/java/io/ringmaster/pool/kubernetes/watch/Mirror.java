package io.ringmaster.pool.kubernetes.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The present objects of the cluster, kept up to date by watches. It lags behind a moment; {@link #await} waits until
 * it has seen a change of one's own.
 */
public final class Mirror implements AutoCloseable {
    /** A watch has shown a change that was made within this time, unless it was interrupted. */
    public static final Duration LAG = Duration.ofSeconds(5);

    private final KubernetesPoolSettings settings;
    private final Listener listener;
    private final SharedIndexInformer<Node> nodes;
    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<PersistentVolumeClaim> claims;
    private final SharedIndexInformer<Secret> secrets;
    private final SharedIndexInformer<PersistentVolume> volumes;
    private final Object changes = new Object();
    private final List<Watch<?>> watches = new ArrayList<>();

    /** How the pool watches objects of a kind, and how it asks for them. */
    private record Watch<T extends HasMetadata>(
            SharedIndexInformer<T> informer, FilterWatchListDeletable<T, ?, ?> objects) {
        boolean isLive() {
            return informer.hasSynced() && informer.isWatching();
        }

        String kind() {
            return HasMetadata.getPlural(informer.getApiTypeClass());
        }

        /** How the API server refuses the objects, or to watch them; empty if it does neither. */
        Optional<KubernetesClientException> refusal() {
            try {
                var unused = objects.list(new ListOptionsBuilder().withLimit(1L).build());
                objects.watch(new ListOptionsBuilder().withTimeoutSeconds(1L).build(), new Unheeded<>())
                        .close();
                return Optional.empty();
            } catch (KubernetesClientException e) {
                return Optional.of(e);
            }
        }
    }

    private static final class Unheeded<T> implements Watcher<T> {
        @Override
        public void eventReceived(Action action, T object) {}

        @Override
        public void onClose(@Nullable WatcherException cause) {}
    }

    /** Learns of changes, on threads that must not be held up. */
    public interface Listener {
        void allocationTouched(AllocationId id);

        /** A Node changed, and with it perhaps all allocations on it. */
        void nodeTouched(String node);

        /** The capacity of the machines may have changed. */
        void machinesTouched();
    }

    public Mirror(KubernetesClient client, KubernetesPoolSettings settings, Listener listener) {
        this.settings = settings;
        this.listener = listener;
        Map<String, String> own = ObjectNames.ofPool(settings.datacenter());
        String namespace = settings.namespace();
        nodes = informer(
                client.nodes(), node -> listener.nodeTouched(node.getMetadata().getName()));
        pods = informer(client.pods().inAnyNamespace(), this::podTouched);
        claims = informer(client.persistentVolumeClaims().inNamespace(namespace).withLabels(own), this::touched);
        secrets = informer(client.secrets().inNamespace(namespace).withLabels(own), this::touched);
        volumes = informer(client.persistentVolumes(), volume -> listener.machinesTouched());
    }

    private <T extends HasMetadata> SharedIndexInformer<T> informer(
            FilterWatchListDeletable<T, ?, ?> objects, Consumer<T> touched) {
        SharedIndexInformer<T> informer = objects.runnableInformer(0);
        informer.addEventHandler(new Handler<>(touched));
        // otherwise one refused request ends the informer, and nobody notices
        var unused = informer.exceptionHandler((started, e) -> true);
        watches.add(new Watch<>(informer, objects));
        return informer;
    }

    /**
     * The kinds of objects whose watch does not stand, and how the API server refuses one of them, if it does; empty if
     * all stand. Asks the API server, because a watch that is made again keeps its failures to itself.
     *
     * @param words for a refusal
     */
    public Optional<String> interruption(Function<KubernetesClientException, String> words) {
        List<Watch<?>> broken =
                watches.stream().filter(watch -> !watch.isLive()).toList();
        if (broken.isEmpty()) {
            return Optional.empty();
        }
        String kinds = broken.stream().map(Watch::kind).collect(Collectors.joining(", "));
        Optional<String> refusal = broken.stream()
                .flatMap(watch -> watch.refusal().stream())
                .findFirst()
                .map(words);
        return Optional.of(refusal.map(r -> kinds + ": " + r).orElse(kinds));
    }

    private final class Handler<T> implements ResourceEventHandler<T> {
        private final Consumer<T> touched;

        Handler(Consumer<T> touched) {
            this.touched = touched;
        }

        @Override
        public void onAdd(T object) {
            changed(object);
        }

        @Override
        public void onUpdate(T before, T object) {
            changed(object);
        }

        @Override
        public void onDelete(T object, boolean finalStateUnknown) {
            changed(object);
        }

        private void changed(T object) {
            synchronized (changes) {
                changes.notifyAll();
            }
            touched.accept(object);
        }
    }

    private void touched(HasMetadata object) {
        ObjectNames.allocation(object, settings.datacenter()).ifPresent(listener::allocationTouched);
    }

    private void podTouched(Pod pod) {
        if (isOwn(pod)) {
            touched(pod);
        } else {
            listener.machinesTouched();
        }
    }

    public boolean isOwn(Pod pod) {
        return pod.getMetadata().getNamespace().equals(settings.namespace())
                && ObjectNames.allocation(pod, settings.datacenter()).isPresent();
    }

    /** Starts the watches; whether all have the present objects within the limit. */
    public boolean start(Duration limit) throws InterruptedException {
        for (Watch<?> watch : watches) {
            var unused = watch.informer().start();
        }
        long end = System.nanoTime() + limit.toNanos();
        while (!isLive() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        return isLive();
    }

    /** Whether every watch stands, so that the objects here are the present ones. */
    public boolean isLive() {
        return watches.stream().allMatch(Watch::isLive);
    }

    public List<Node> nodes() {
        return nodes.getStore().list();
    }

    public Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.getStore().getByKey(name));
    }

    /** Of all namespaces. */
    public List<Pod> pods() {
        return pods.getStore().list();
    }

    public Optional<Pod> pod(AllocationId id) {
        return Optional.ofNullable(pods.getStore().getByKey(key(id))).filter(this::isOwn);
    }

    public List<PersistentVolumeClaim> claims() {
        return claims.getStore().list();
    }

    public Optional<PersistentVolumeClaim> claim(AllocationId id) {
        return Optional.ofNullable(claims.getStore().getByKey(key(id)));
    }

    public Optional<Secret> secret(AllocationId id) {
        return Optional.ofNullable(secrets.getStore().getByKey(key(id)));
    }

    public List<PersistentVolume> volumes() {
        return volumes.getStore().list();
    }

    private String key(AllocationId id) {
        return settings.namespace() + "/" + id;
    }

    /** Waits until the condition holds, which is looked at after each change and each half second. */
    public boolean await(BooleanSupplier condition, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        synchronized (changes) {
            while (!condition.getAsBoolean()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return false;
                }
                changes.wait(Math.min(left, 500));
            }
        }
        return true;
    }

    @Override
    public void close() {
        watches.forEach(watch -> watch.informer().close());
    }
}
