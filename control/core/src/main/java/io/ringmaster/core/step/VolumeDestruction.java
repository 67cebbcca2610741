package io.ringmaster.core.step;

import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.record.KeptVolume;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /**
     * Empty unless the pool has exactly the recorded allocation, released: nothing is stopped to be destroyed. What it
     * was ordered to destroy, the order is repeated until it reports that the volume is gone.
     */
    public static Optional<Command> command(View view, KeptVolume volume) {
        boolean asked = view.allocations().containsKey(volume.id()) || (volume.sent() && !isDestroyed(view, volume));
        return asked && whyNot(view, volume).isEmpty()
                ? Optional.of(new Command.Release(volume.id(), true))
                : Optional.empty();
    }

    /** Whether the pool was ordered to destroy it and has said that it is gone. No report that lacks it proves that. */
    public static boolean isDestroyed(View view, KeptVolume volume) {
        return !view.allocations().containsKey(volume.id())
                && (volume.destroyed()
                        || (volume.sent() && view.allocationsGone().contains(volume.id())));
    }

    /** Whether the pool, which can reach its machine, does not have it, and no order to destroy it was sent. */
    public static boolean isMissing(View view, KeptVolume volume) {
        return view.poolSeen()
                && !volume.sent()
                && !view.allocations().containsKey(volume.id())
                && !isAway(view, volume);
    }

    /**
     * Why what the pool has under the id must not be destroyed; empty where it has nothing. Ids are used again, and a
     * store may be set back: the name alone does not prove that the order was meant for this volume.
     */
    public static Optional<String> whyNot(View view, KeptVolume volume) {
        AllocationState state = view.allocations().get(volume.id());
        if (state == null) {
            return Optional.empty();
        }
        Allocation there = state.allocation();
        if (!there.equals(volume.allocation())) {
            return Optional.of(
                    "the allocation of this name on " + there.machine() + " is not the one that was recorded");
        }
        return isReleased(state, volume)
                ? Optional.empty()
                : Optional.of("it is " + state.status() + " on " + there.machine() + ", not released"
                        + (state.problem() == null ? "" : ": " + state.reason()));
    }

    /** Its destruction, once begun, may fail or take long. */
    private static boolean isReleased(AllocationState state, KeptVolume volume) {
        return switch (state.status()) {
            case RELEASED -> true;
            case PENDING, FAILED -> volume.sent();
            case RESERVED, LAUNCHING, RUNNING, UNREACHABLE, EXITED -> false;
        };
    }

    /** The allocation of a node as the pool has it: its resources may have been changed last. */
    public static Allocation place(View view, Allocation held) {
        AllocationState state = view.allocations().get(held.id());
        Allocation there = state == null ? held : state.allocation();
        return there.equals(held.withResources(there.resources())) ? there : held;
    }

    /** For people: why the pool cannot carry out the order, as far as it says; null if there is nothing to say. */
    public static @Nullable String problem(View view, KeptVolume volume) {
        if (isMissing(view, volume) && !volume.destroyed()) {
            return "the pool does not have it, although its machine is there";
        }
        AllocationState state = view.allocations().get(volume.id());
        if (state != null && state.problem() != null) {
            return state.reason();
        }
        return volume.dropped() == null ? null : "its last order was void: " + volume.dropped();
    }

    /** For people: what happens to a volume that cannot be reached. */
    public static String later(KeptVolume volume) {
        Allocation allocation = volume.allocation();
        return (allocation == null ? "its machine" : allocation.machine().value())
                + " is away: destroyed when it is back if it has the volume released, and listed until then";
    }
}
