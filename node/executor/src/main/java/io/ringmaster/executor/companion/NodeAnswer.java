package io.ringmaster.executor.companion;

import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.TaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * The companion's report of its node.
 *
 * @param mode Cassandra's operation mode
 * @param activity the current activity, as text for people
 * @param cql whether clients can connect
 * @param awaitsClients whether the daemon was started with CQL closed, and no executor has opened it since
 * @param bootstrapped whether Cassandra has stored that it joined, so that it never bootstraps again; null in
 *     answers of older companions, and before gossip starts, when this process cannot have joined
 * @param ring the node's view of the ring; null while gossip does not run
 * @param task the current or last task; null before the first
 */
public record NodeAnswer(
        long pid,
        String mode,
        String activity,
        boolean cql,
        boolean awaitsClients,
        @Nullable Boolean bootstrapped,
        @Nullable RingView ring,
        @Nullable TaskStatus task) {

    /** A companion of a later version may do tasks of a kind that is not known here. */
    public NodeAnswer {
        task = task == null || task.kind() == null || task.id() == null ? null : task;
    }

    /** Whether Cassandra closed CQL and gossip until a restart: its failure policies do so after a failed write. */
    public boolean hasStoppedServing() {
        return mode.equals("NORMAL") && !cql && ring == null;
    }

    /** Whether a stream of its bootstrap failed: Cassandra then waits for somebody to resume it, and serves nobody. */
    public boolean hasFailedToJoin() {
        return OperatingMode.of(mode).isStuck();
    }
}
