package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something changed. Says what to look at again, not its whole state.
 *
 * @param id where in the stream; opaque. Asking with the last one seen continues after it
 * @param subject the cluster {@code rides}, the plan {@code dc1-7}, the node {@code rides/dc1/node-0} or the datacenter {@code dc2}
 * @param text one line for people
 */
public record Event(String id, Instant at, Type type, @Nullable ClusterName cluster, String subject, String text) {

    /** What kind of thing the subject is. */
    public enum Type {
        LEADERSHIP,
        CLUSTER,
        PLAN,
        NODE,
        POOL,
        PEER,
        AUDIT,
        /** Events between the last one seen and the next are lost, or the stream is another server's: read everything again. */
        RESET
    }
}
