package io.ringmaster.core.placement;

import io.ringmaster.core.placement.NodePlacement.Rejection;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses another place for a dead node, in its rack. A place on another machine is best: the replacement then receives
 * writes while it streams. Otherwise its own machine, if it still exists, at the same endpoint: the replacement then
 * receives these writes as hints.
 *
 * <p>The storage port stays the same. Cassandra 5.0 parses {@code replace_address} without a port and adds its own
 * storage port, and its start fails if that endpoint is not the one of the replaced node.
 */
public final class Replacing {
    private final ClusterSpec spec;
    private final NodeRecord node;
    private final Allocation dead;
    private final @Nullable MachineName leaves;
    private final List<Allocation> allocations;
    private final List<Allocation> kept;
    private final List<Quarantine.Endpoint> quarantined;
    private final PortUse portUse;

    private Replacing(View view, ClusterSpec spec, NodeRecord node, @Nullable MachineName leaves) {
        this.leaves = leaves;
        this.spec = spec;
        this.node = node;
        // one that has joined may still have allocations on machines that were lost earlier
        this.dead = node.joined() || node.previousAllocations().isEmpty()
                ? node.allocation()
                : node.previousAllocations().get(0);
        Set<AllocationId> own = Stream.concat(node.previousAllocations().stream(), Stream.of(node.allocation()))
                .map(Allocation::id)
                .collect(Collectors.toSet());
        this.allocations = Placement.allocations(view).stream()
                .filter(a -> !own.contains(a.id()))
                .toList();
        this.kept = view.allocations().values().stream()
                .filter(s -> s.status() == AllocationState.Status.RELEASED
                        || own.contains(s.allocation().id()))
                .map(AllocationState::allocation)
                .toList();
        this.quarantined = Quarantine.of(view, spec.name());
        this.portUse = PortUse.of(view);
    }

    /**
     * The place for a node that is dead, or whose replacement is.
     *
     * @param leaves a machine that cannot be used because it is being evacuated, or null
     */
    public static NodePlacement place(View view, ClusterSpec spec, NodeRecord node, @Nullable MachineName leaves) {
        return new Replacing(view, spec, node, leaves)
                .among(List.copyOf(view.machines().values()));
    }

    private NodePlacement among(List<Machine> machines) {
        List<Rejection> rejected = new ArrayList<>();
        List<Occupancy> fit = new ArrayList<>();
        List<String> later = new ArrayList<>();
        for (Machine machine : machines) {
            Occupancy here = occupancy(machine);
            Optional<String> why = whyUnfit(here);
            Optional<String> wait =
                    why.isPresent() ? Optional.empty() : quarantined(machine).map(e -> whyLater(e, machine));
            wait.ifPresent(w -> later.add(machine.name() + ": " + w));
            why.or(() -> wait)
                    .ifPresentOrElse(w -> rejected.add(new Rejection(machine.name(), w)), () -> fit.add(here));
        }
        return fit.stream()
                .max(Comparator.comparing((Occupancy o) -> !isOwn(o.machine))
                        .thenComparingDouble(o -> o.fit(spec.resources()))
                        .thenComparing(o -> o.machine.name(), Comparator.reverseOrder()))
                .map(o -> chosen(o, rejected))
                .orElseGet(() -> new NodePlacement(
                        node.id(),
                        null,
                        null,
                        later.isEmpty() ? "no machine fits" : later.get(0),
                        rejected,
                        !later.isEmpty()));
    }

    private static String whyLater(Quarantine.Endpoint endpoint, Machine machine) {
        String endpointText =
                machine.address() + ":" + endpoint.allocation().ports().storage();
        String until = endpoint.until() == null
                ? "until its replacement has joined; the time is shown then"
                : "until " + endpoint.until().truncatedTo(ChronoUnit.SECONDS);
        return endpoint.allocation().node().shortName() + " was at " + endpointText
                + ", and the other nodes ignore a new node there " + until;
    }

    private NodePlacement chosen(Occupancy on, List<Rejection> rejected) {
        Machine machine = on.machine;
        Allocation place = new Allocation(
                Placement.allocationId(node.id()),
                node.id(),
                machine.name(),
                ports(on).orElseThrow(),
                spec.resources());
        String why = isOwn(machine)
                ? "no other machine of rack " + node.rack() + " fits: it stays on its machine, at the same endpoint"
                : "another machine of rack " + node.rack() + ", with the same storage port";
        return new NodePlacement(node.id(), place, node.rack(), why, rejected);
    }

    private Occupancy occupancy(Machine machine) {
        List<Allocation> here = allocations.stream()
                .filter(a -> a.machine().equals(machine.name()))
                .toList();
        List<Allocation> keptHere =
                kept.stream().filter(a -> a.machine().equals(machine.name())).toList();
        return new Occupancy(machine, here, keptHere, portUse.at(machine, allocations));
    }

    private Optional<String> whyUnfit(Occupancy o) {
        if (o.machine.name().equals(leaves)) {
            return Optional.of("it is being evacuated");
        }
        return o.machine.rack().equals(node.rack())
                ? Placement.whyUnfit(o, spec)
                        .or(() -> ports(o).isPresent()
                                ? Optional.empty()
                                : Optional.of("ports: needs the storage port "
                                        + dead.ports().storage() + " of the dead node, which is taken"))
                : Optional.of("rack: the node must stay in " + node.rack());
    }

    /** Why the machine, which fits, cannot be used before some time has passed: its own endpoint is never ignored. */
    private Optional<Quarantine.Endpoint> quarantined(Machine machine) {
        return quarantined.stream()
                .filter(e -> !isOwn(machine) && portUse.isAt(e.allocation(), machine))
                .filter(e -> e.allocation().ports().storage() == dead.ports().storage())
                .findFirst();
    }

    private Optional<NodePorts> ports(Occupancy on) {
        return isOwn(on.machine)
                ? Optional.of(dead.ports()).filter(p -> on.areFree(p.all()))
                : on.freePorts(dead.ports().storage());
    }

    /** Whether the dead node was on this machine, perhaps under another name. */
    private boolean isOwn(Machine machine) {
        return machine.name().equals(dead.machine()) || portUse.isAt(dead, machine);
    }
}
