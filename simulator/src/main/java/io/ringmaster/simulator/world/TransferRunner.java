package io.ringmaster.simulator.world;

import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * The transfer of one node. It ends after a while, and may fail then, whatever becomes of the daemon and of the
 * executor meanwhile.
 */
final class TransferRunner {
    private final World world;
    private final SimNode node;
    private @Nullable TaskStatus transfer;
    private long endsMillis;
    private boolean fails;

    TransferRunner(World world, SimNode node) {
        this.world = world;
        this.node = node;
    }

    /** Runs the transfer that the target names. */
    void follow(@Nullable NodeTask wanted) {
        if (wanted == null) {
            transfer = null;
        } else if (!isThis(wanted)) {
            endsMillis = world.nowMillis() + world.random().between(500, 20_000);
            fails = !world.brokenWork().task(wanted.kind()).isAll();
            transfer = new TaskStatus(
                    wanted.id(), wanted.kind(), TaskStatus.State.RUNNING, 0, 0, "bytes", "runs", world.now(), null);
        }
    }

    /** The status of the transfer that the target names; null for any other. */
    @Nullable
    TaskStatus status(@Nullable NodeTask wanted) {
        TaskStatus last = transfer;
        if (last == null || wanted == null || !isThis(wanted)) {
            return null;
        }
        if (!last.state().isOver() && world.nowMillis() >= endsMillis) {
            last = new TaskStatus(
                    last.id(),
                    last.kind(),
                    fails ? TaskStatus.State.FAILED : TaskStatus.State.DONE,
                    0,
                    0,
                    "bytes",
                    "ended",
                    last.startedAt(),
                    world.now());
            transfer = last;
            if (!fails && wanted.kind() == NodeTask.Kind.RESTORE_FETCH) {
                world.restores().fetched(node, wanted);
            }
        }
        return last;
    }

    private boolean isThis(NodeTask wanted) {
        return transfer != null && transfer.id().equals(wanted.id());
    }
}
