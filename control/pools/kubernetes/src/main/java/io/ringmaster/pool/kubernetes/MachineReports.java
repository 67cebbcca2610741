package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.pool.base.PoolReports;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.observe.NodeCapacity;
import io.ringmaster.pool.kubernetes.observe.NodeDisks;
import io.ringmaster.pool.kubernetes.observe.PodStates;
import io.ringmaster.pool.kubernetes.watch.Mirror;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the Nodes that are machines of the pool, or that hold allocations of it. */
final class MachineReports {
    private static final Logger LOG = LoggerFactory.getLogger(MachineReports.class);

    private final KubernetesPoolSettings settings;
    private final Mirror mirror;
    private final PoolReports reports;
    /** Nodes with names that Ringmaster cannot use, which were logged. */
    private final Set<String> unusable = new HashSet<>();

    MachineReports(KubernetesPoolSettings settings, Mirror mirror, PoolReports reports) {
        this.settings = settings;
        this.mirror = mirror;
        this.reports = reports;
    }

    /** Reports what has changed since the last call. */
    synchronized void report() {
        List<PersistentVolumeClaim> claims = mirror.claims();
        Set<String> ownClaims =
                claims.stream().map(c -> c.getMetadata().getName()).collect(Collectors.toSet());
        Set<String> used = claims.stream()
                .flatMap(c -> ClaimNotes.of(c).stream())
                .map(notes -> notes.allocation().machine().value())
                .collect(Collectors.toSet());
        Map<String, List<Pod>> others = mirror.pods().stream()
                .filter(p -> p.getSpec().getNodeName() != null && !PodStates.isOver(p) && !mirror.isOwn(p))
                .collect(Collectors.groupingBy(p -> p.getSpec().getNodeName()));
        List<PersistentVolume> volumes = mirror.volumes();
        Set<MachineName> present = new HashSet<>();
        for (Node node : mirror.nodes()) {
            String name = node.getMetadata().getName();
            boolean offered = isOffered(node);
            if (offered || used.contains(name)) {
                long disk = NodeDisks.bytes(node, settings, volumes, ownClaims::contains);
                NodeCapacity.machine(node, settings.rackLabel(), disk, others.getOrDefault(name, List.of()), offered)
                        .ifPresentOrElse(
                                machine -> {
                                    present.add(machine.name());
                                    reports.machineChanged(machine);
                                },
                                () -> warn(name));
            }
        }
        reports.machines().stream()
                .map(Machine::name)
                .filter(name -> !present.contains(name))
                .forEach(reports::machineGone);
    }

    private boolean isOffered(Node node) {
        Map<String, String> labels = node.getMetadata().getLabels();
        return labels == null
                ? settings.machines().isEmpty()
                : labels.entrySet().containsAll(settings.machines().entrySet());
    }

    private void warn(String name) {
        if (unusable.add(name)) {
            LOG.warn(
                    "the Node {} is left out: its name, or that of its rack by the label {}, is not allowed",
                    name,
                    settings.rackLabel());
        }
    }
}
