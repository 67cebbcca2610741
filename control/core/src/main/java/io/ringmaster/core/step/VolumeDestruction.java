package io.ringmaster.core.step;

import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.record.KeptVolume;
import java.util.Optional;

/** How a volume whose destruction a user ordered is destroyed. */
public final class VolumeDestruction {
    private VolumeDestruction() {}

    /** Whether nothing can be done about the volume now. Nothing is concluded before the pool has reported. */
    public static boolean isAway(View view, KeptVolume volume) {
        Allocation allocation = volume.allocation();
        return allocation == null ? !view.allocations().containsKey(volume.id()) : isAway(view, allocation);
    }

    static boolean isAway(View view, Allocation allocation) {
        return LostNode.isMachineAway(view, allocation);
    }

    /** The next command until the pool has the volume no more; what still runs there is stopped first. */
    public static Optional<Command> command(View view, AllocationId volume) {
        AllocationState state = view.allocations().get(volume);
        if (state == null) {
            return Optional.empty();
        }
        return Optional.of(
                switch (state.status()) {
                    case LAUNCHING, RUNNING, UNREACHABLE, EXITED -> new Command.Kill(volume);
                    case PENDING, RESERVED, FAILED, RELEASED -> new Command.Release(volume, true);
                });
    }

    /** For people: what happens to a volume that cannot be reached. */
    public static String later(KeptVolume volume) {
        Allocation allocation = volume.allocation();
        return (allocation == null ? "its machine" : allocation.machine().value())
                + " is away: destroyed as soon as it is back, and listed until then";
    }
}
