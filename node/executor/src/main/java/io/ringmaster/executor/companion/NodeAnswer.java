package io.ringmaster.executor.companion;

import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.TaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * What the companion says of its node.
 *
 * @param mode Cassandra's word
 * @param cql whether clients can connect
 * @param ring null while gossip does not run
 * @param task what it is at or was at last, or null
 */
public record NodeAnswer(
        long pid, String mode, String activity, boolean cql, @Nullable RingView ring, @Nullable TaskStatus task) {

    /** Cassandra closed CQL and gossip after a failed write, as its failure policies ask; only another start brings it back. */
    public boolean hasStoppedServing() {
        return mode.equals("NORMAL") && !cql && ring == null;
    }
}
