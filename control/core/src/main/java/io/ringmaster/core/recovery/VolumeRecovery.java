package io.ringmaster.core.recovery;

import io.ringmaster.core.placement.Quarantine;
import io.ringmaster.core.step.VolumeDestruction;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.KeptVolume.Reason;
import io.ringmaster.model.record.NodeRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of the volumes that no node uses, also after their cluster is deleted, and destroys those whose
 * destruction a user ordered, when their machine is there and has them released, as they were recorded.
 */
final class VolumeRecovery {
    private final View view;
    private final Set<AllocationId> held;
    /** Where nodes were, until it is released there; also after the replacement has joined, while a machine is away. */
    private final Map<AllocationId, Allocation> former = new TreeMap<>();
    /** Those of nodes whose replacement has not joined yet. */
    private final Set<AllocationId> joining;

    private VolumeRecovery(View view, ClusterName cluster) {
        this.view = view;
        List<NodeRecord> nodes = view.nodesOf(cluster);
        this.held = nodes.stream().map(n -> n.allocation().id()).collect(Collectors.toSet());
        this.joining = nodes.stream()
                .filter(n -> !n.joined())
                .flatMap(n -> n.previousAllocations().stream())
                .map(Allocation::id)
                .collect(Collectors.toSet());
        nodes.stream().flatMap(n -> n.previousAllocations().stream()).forEach(a -> former.put(a.id(), a));
    }

    /** Nothing before the pool has reported: absence proves nothing then. */
    static Recovery.Wanted of(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || !view.poolSeen()) {
            return new Recovery.Wanted(List.of(), List.of());
        }
        VolumeRecovery recovery = new VolumeRecovery(view, cluster);
        ClusterRecord seen = recovery.updated(recovery.found(record));
        List<Change> changes = seen.equals(record) ? List.of() : List.of(new Change.Put(seen));
        return new Recovery.Wanted(changes, recovery.orders(seen));
    }

    /** With the volumes that are in no record yet. */
    private ClusterRecord found(ClusterRecord record) {
        ClusterRecord found = record;
        for (Allocation allocation : former.values()) {
            if (found.volume(allocation.id()).isEmpty()) {
                Reason reason = record.created() ? Reason.REPLACED : Reason.ABORTED;
                found = found.withVolume(KeptVolume.of(allocation, reason, null, view.incarnation(record.name())));
            }
        }
        for (AllocationState state : view.allocationsOf(record.name())) {
            AllocationId id = state.allocation().id();
            boolean unknown = state.status() == AllocationState.Status.RELEASED
                    && !held.contains(id)
                    && found.volume(id).isEmpty();
            if (unknown) {
                // of a late command, an older server or a lost store: nobody knows whose rows it has
                found = found.withVolume(KeptVolume.of(state.allocation(), Reason.UNKNOWN, view.now(), null));
            }
        }
        return found;
    }

    private ClusterRecord updated(ClusterRecord record) {
        ClusterRecord updated = record;
        for (KeptVolume volume : record.volumes()) {
            AllocationState state = view.allocations().get(volume.id());
            boolean over =
                    VolumeDestruction.isDestroyed(view, volume) && Quarantine.isOver(view, record.name(), volume);
            if (held.contains(volume.id()) || over) {
                updated = updated.withoutVolume(volume.id());
                continue;
            }
            KeptVolume seen = destroyed(ordered(placed(volume, state)));
            seen = seen.since() == null && !mayRun(seen, state) ? seen.since(view.now()) : seen;
            updated = seen.equals(volume) ? updated : updated.withVolume(seen);
        }
        return updated;
    }

    /** Whether its node is still being replaced. The place of a replacement that was given up is left once released. */
    private boolean mayRun(KeptVolume volume, @Nullable AllocationState state) {
        boolean givenUp =
                volume.reason() == Reason.ABORTED && state != null && state.status() == AllocationState.Status.RELEASED;
        return joining.contains(volume.id()) && !givenUp;
    }

    /**
     * With the place as the pool has it: where an older server stored none, or while the record of a node names it,
     * whose resources may have been changed last.
     */
    private KeptVolume placed(KeptVolume volume, @Nullable AllocationState state) {
        if (state == null || state.status() != AllocationState.Status.RELEASED || volume.ordered()) {
            return volume;
        }
        Allocation known = volume.allocation();
        if (known == null) {
            return volume.at(state.allocation());
        }
        return former.containsKey(volume.id()) ? volume.at(VolumeDestruction.place(view, known)) : volume;
    }

    /** Marked once the pool has said that it is gone, and no longer when the pool has it after all. */
    private KeptVolume destroyed(KeptVolume volume) {
        boolean is = VolumeDestruction.isDestroyed(view, volume);
        return is == volume.destroyed() ? volume : volume.destroyed(is ? view.now() : null);
    }

    /** Sent if the order can be carried out; without it if it was not meant for what has the name now. */
    private KeptVolume ordered(KeptVolume volume) {
        if (!volume.ordered()
                || VolumeDestruction.isAway(view, volume)
                || !view.allocations().containsKey(volume.id())) {
            return volume;
        }
        return VolumeDestruction.whyNot(view, volume).map(volume::dropped).orElseGet(() -> volume.sent(view.now()));
    }

    private List<Command> orders(ClusterRecord record) {
        List<Command> commands = new ArrayList<>();
        record.volumes().stream()
                .filter(v -> v.ordered() && !VolumeDestruction.isAway(view, v))
                .forEach(v -> VolumeDestruction.command(view, v).ifPresent(commands::add));
        return commands;
    }
}
