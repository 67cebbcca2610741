package io.ringmaster.server.read;

import io.ringmaster.core.step.VolumeDestruction;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.wire.api.VolumeState;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The volumes of a datacenter that no node uses, also those on machines that are away. */
public final class Volumes {
    private Volumes() {}

    public static List<VolumeState> of(View view) {
        Map<AllocationId, VolumeState> volumes = new TreeMap<>();
        view.clusters().values().forEach(c -> c.volumes().stream()
                .filter(v -> !v.destroyed())
                .forEach(v -> volumes.put(v.id(), state(view, c.name(), v))));
        view.allocations().values().stream()
                .filter(s -> s.status() == AllocationState.Status.RELEASED && !isHeld(view, s))
                .forEach(s -> volumes.computeIfAbsent(s.allocation().id(), id -> unrecorded(view, s)));
        return volumes.values().stream()
                .sorted(Comparator.comparing((VolumeState v) -> v.cluster()).thenComparing(VolumeState::id))
                .toList();
    }

    public static VolumeState state(View view, ClusterName cluster, KeptVolume volume) {
        Allocation place = volume.allocation();
        Machine machine = place == null ? null : view.machines().get(place.machine());
        return new VolumeState(
                volume.id(),
                view.datacenter(),
                cluster,
                place == null ? null : place.node(),
                place == null ? null : place.machine(),
                machine == null ? null : machine.rack(),
                place == null ? null : place.resources().diskBytes(),
                volume.reason(),
                volume.since(),
                volume.discardedAt(),
                view.poolSeen() && !VolumeDestruction.isAway(view, volume),
                VolumeDestruction.problem(view, volume));
    }

    /** The records of its cluster are lost. */
    private static VolumeState unrecorded(View view, AllocationState state) {
        return state(
                view,
                state.allocation().node().cluster(),
                KeptVolume.of(state.allocation(), KeptVolume.Reason.UNKNOWN, state.since(), null));
    }

    private static boolean isHeld(View view, AllocationState state) {
        var node = view.nodes().get(state.allocation().node());
        return node != null && node.allocation().id().equals(state.allocation().id());
    }
}
