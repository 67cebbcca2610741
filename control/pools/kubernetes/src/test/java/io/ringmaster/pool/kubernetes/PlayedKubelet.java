package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kubelets of two machines, {@code n1} and {@code n2}, which run nothing: they take the pods that the scheduler
 * bound to them, and report of their containers what a kubelet would. The rest of Kubernetes is real.
 */
final class PlayedKubelet implements AutoCloseable {
    /** How long an ended container waits for its next start. */
    private static final Duration BACK_OFF = Duration.ofSeconds(4);
    /** How long a container takes to end in good order. */
    private static final Duration END = Duration.ofMillis(200);

    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final long LOOK_EVERY_MS = 50;
    private static final List<String> MACHINES = List.of("n1", "n2");
    private static final int DISKS = 3;
    private static final Logger LOG = LoggerFactory.getLogger(PlayedKubelet.class);

    final PlayedVolumes volumes;

    private final KubernetesClient client;
    private final SharedIndexInformer<Pod> pods;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    /** By the uid of their pod. */
    private final Map<String, PlayedContainer> containers = new HashMap<>();
    /** When the end of a pod began, by its uid. */
    private final Map<String, Instant> ends = new HashMap<>();

    private final Set<String> away = new HashSet<>();
    /** Namespaces and names of pods that are not started. */
    private final Set<String> ignored = new HashSet<>();

    private Instant heartbeat = Instant.EPOCH;
    private int addresses = 1;

    PlayedKubelet(KubernetesClient client) {
        this.client = client;
        volumes = new PlayedVolumes(client);
        for (String machine : MACHINES) {
            client.nodes()
                    .resource(new NodeBuilder()
                            .withNewMetadata()
                            .withName(machine)
                            .addToLabels("kubernetes.io/hostname", machine)
                            .endMetadata()
                            .build())
                    .create();
            for (int i = 1; i <= DISKS; i++) {
                volumes.create(machine, i);
            }
        }
        pods = client.pods().inAnyNamespace().inform();
        var unused = timer.scheduleWithFixedDelay(this::look, 0, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    /** The present run of a pod's container; empty if none runs. */
    synchronized Optional<String> run(String namespace, String name) {
        List<String> runs = containers.entrySet().stream()
                .filter(e -> e.getValue().pod.equals(namespace + "/" + name)
                        && e.getValue().runs())
                .map(e -> e.getKey() + "/" + e.getValue().starts())
                .toList();
        if (runs.size() > 1) {
            throw new AssertionError("two containers run on the volume of " + name + ": " + runs);
        }
        return runs.stream().findFirst();
    }

    /** Ends the container as a crash does; it starts again after a while. */
    synchronized void crash(String namespace, String name) {
        container(namespace, name).crash();
    }

    private PlayedContainer container(String namespace, String name) {
        return containers.values().stream()
                .filter(c -> c.pod.equals(namespace + "/" + name) && c.runs())
                .findFirst()
                .orElseThrow();
    }

    /** Starts no pod of this name, and ends them as others. */
    synchronized void ignore(String namespace, String name) {
        ignored.add(namespace + "/" + name);
    }

    synchronized void ignoreNothing() {
        ignored.clear();
    }

    /** Takes a machine off the network: its containers run on, and nobody learns anything of them. */
    void cut(String machine) {
        synchronized (this) {
            away.add(machine);
        }
        report(machine, "Unknown");
    }

    synchronized void join(String machine) {
        away.remove(machine);
        heartbeat = Instant.EPOCH;
    }

    /** Boots a machine, after which these two pods have each other's addresses, and Cassandra refuses to start. */
    synchronized void rebootCrossed(String namespace, String one, String other) {
        PlayedContainer a = container(namespace, one);
        PlayedContainer b = container(namespace, other);
        String first = a.address();
        a.startAgain(b.address());
        a.refuse();
        b.startAgain(first);
        b.refuse();
    }

    private synchronized void look() {
        try {
            if (Instant.now().isAfter(heartbeat.plus(HEARTBEAT))) {
                heartbeat = Instant.now();
                MACHINES.stream().filter(m -> !away.contains(m)).forEach(m -> report(m, "True"));
            }
            List<Pod> all = pods.getStore().list();
            Set<String> present = new HashSet<>();
            for (Pod pod : all) {
                present.add(pod.getMetadata().getUid());
                String machine = pod.getSpec().getNodeName();
                if (machine != null && MACHINES.contains(machine) && !away.contains(machine)) {
                    look(pod);
                }
            }
            containers.keySet().retainAll(present);
        } catch (KubernetesClientException e) {
            LOG.info("tries again: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("the played kubelet failed", e);
        }
    }

    private void look(Pod pod) {
        String uid = pod.getMetadata().getUid();
        PlayedContainer container = containers.get(uid);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            end(pod);
        } else if (container == null) {
            start(pod);
        } else if (!container.isReported()) {
            report(pod, container);
        } else if (container.endedBefore(Instant.now().minus(BACK_OFF))
                && pod.getSpec().getRestartPolicy().equals("Always")) {
            container.startAgain(container.address());
        }
    }

    private void end(Pod pod) {
        String uid = pod.getMetadata().getUid();
        Instant began = ends.computeIfAbsent(uid, u -> Instant.now());
        if (Instant.now().isBefore(began.plus(END))) {
            return;
        }
        containers.remove(uid);
        Pod now = client.pods().resource(pod).get();
        // the watch may not have shown the end of this one yet
        if (now != null && now.getMetadata().getUid().equals(uid)) {
            var unused = client.pods().resource(pod).withGracePeriod(0).delete();
        }
    }

    private void start(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        String name = pod.getMetadata().getName();
        boolean over = pod.getStatus() != null
                && ("Succeeded".equals(pod.getStatus().getPhase())
                        || "Failed".equals(pod.getStatus().getPhase()));
        if (over || ignored.contains(namespace + "/" + name) || !volumes.mount(namespace, name)) {
            return;
        }
        boolean wipe = ObjectNames.isWipe(pod);
        if (!wipe && client.secrets().inNamespace(namespace).withName(name).get() == null) {
            return;
        }
        var container = new PlayedContainer(namespace + "/" + name, "10.77.1." + ++addresses);
        containers.put(pod.getMetadata().getUid(), container);
        run(namespace, name); // never two
        if (wipe) {
            volumes.empty(namespace, name);
            container.exit(0);
        }
        report(pod, container);
    }

    private void report(Pod pod, PlayedContainer container) {
        var unused = client.pods().resource(pod).editStatus(now -> new PodBuilder(now)
                .withStatus(container.status(now, now.getStatus()))
                .build());
        container.reported();
    }

    /** @param ready the condition of its Node, as the kubelet reports it, or the controller about a silent one */
    private void report(String machine, String ready) {
        String now = Instant.now().toString();
        var condition = new NodeConditionBuilder()
                .withType("Ready")
                .withStatus(ready)
                .withReason("Played")
                .withLastHeartbeatTime(now)
                .build();
        Map<String, Quantity> resources =
                Map.of("cpu", new Quantity("8"), "memory", new Quantity("32Gi"), "pods", new Quantity("100"));
        var unused = client.nodes().withName(machine).editStatus(node -> new NodeBuilder(node)
                .editOrNewStatus()
                .withCapacity(resources)
                .withAllocatable(resources)
                .removeMatchingFromConditions(c -> c.getType().equals("Ready"))
                .addToConditions(condition)
                .endStatus()
                .build());
    }

    @Override
    public void close() {
        timer.shutdownNow();
        pods.close();
    }
}
