package io.ringmaster.pool.kubernetes.observe;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A Node as a machine: what it can allocate, less what the pods of others request on it. */
public final class NodeCapacity {
    /** The rack of a Node without the label. */
    public static final RackName NO_RACK = new RackName("default");

    private static final long MEMORY_STEP = 16L << 20;
    private static final int CPU_STEP = 10;
    private static final BigDecimal MILLIS = BigDecimal.valueOf(1000);
    /** The states of a machine that is away; Ringmaster reports these itself. */
    private static final Set<String> AWAY = Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private NodeCapacity() {}

    /**
     * @param others the pods on it that are not of this pool
     * @param offered whether new nodes may be placed on it, as far as the pool's settings go
     * @return empty if its name or its rack's is no name of Ringmaster
     */
    public static Optional<Machine> machine(
            Node node, String rackLabel, long diskBytes, Collection<Pod> others, boolean offered) {
        Map<String, Quantity> allocatable = node.getStatus().getAllocatable();
        long cpu = millis(allocatable.get("cpu")) - requested(others, "cpu");
        long memory = bytes(allocatable.get("memory")) - requested(others, "memory");
        Machine.State state = isReady(node) ? Machine.State.READY : Machine.State.UNREACHABLE;
        try {
            return Optional.of(new Machine(
                    new MachineName(node.getMetadata().getName()),
                    rack(node, rackLabel),
                    null,
                    (int) Math.max(0, cpu / CPU_STEP * CPU_STEP),
                    Math.max(0, memory / MEMORY_STEP * MEMORY_STEP),
                    diskBytes,
                    null,
                    !offered || isCordoned(node),
                    state));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public static boolean isReady(Node node) {
        return node.getStatus().getConditions().stream()
                .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    private static RackName rack(Node node, String label) {
        Map<String, String> labels = node.getMetadata().getLabels();
        String value = labels == null ? null : labels.get(label);
        return value == null || value.isEmpty() ? NO_RACK : new RackName(value);
    }

    public static boolean isCordoned(Node node) {
        return Boolean.TRUE.equals(node.getSpec().getUnschedulable())
                || node.getSpec().getTaints().stream().anyMatch(NodeCapacity::keepsOff);
    }

    private static boolean keepsOff(Taint taint) {
        return !taint.getEffect().equals("PreferNoSchedule") && !AWAY.contains(taint.getKey());
    }

    private static long requested(Collection<Pod> pods, String resource) {
        return pods.stream().mapToLong(pod -> requested(pod, resource)).sum();
    }

    /** What the scheduler reserves for a pod: an init container runs beside the sidecars before it, and then ends. */
    private static long requested(Pod pod, String resource) {
        long sidecars = 0;
        long highest = 0;
        for (Container first : pod.getSpec().getInitContainers()) {
            long request = request(first, resource);
            highest = Math.max(highest, sidecars + request);
            sidecars += "Always".equals(first.getRestartPolicy()) ? request : 0;
        }
        long all = pod.getSpec().getContainers().stream()
                .mapToLong(c -> request(c, resource))
                .sum();
        Map<String, Quantity> overhead = pod.getSpec().getOverhead();
        long more = overhead == null || !overhead.containsKey(resource) ? 0 : amount(overhead.get(resource), resource);
        return Math.max(all + sidecars, highest) + more;
    }

    private static long request(Container container, String resource) {
        Map<String, Quantity> requests = container.getResources() == null
                ? null
                : container.getResources().getRequests();
        return requests == null || !requests.containsKey(resource) ? 0 : amount(requests.get(resource), resource);
    }

    private static long amount(@Nullable Quantity quantity, String resource) {
        return resource.equals("cpu") ? millis(quantity) : bytes(quantity);
    }

    private static long millis(@Nullable Quantity quantity) {
        return quantity == null
                ? 0
                : quantity.getNumericalAmount()
                        .multiply(MILLIS)
                        .setScale(0, RoundingMode.CEILING)
                        .longValue();
    }

    /** 0 for an amount that is not given. */
    public static long bytes(@Nullable Quantity quantity) {
        return quantity == null ? 0 : Quantity.getAmountInBytes(quantity).longValue();
    }
}
