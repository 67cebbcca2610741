package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change. Names the object to read again; does not contain its whole state.
 *
 * @param id the opaque position in the stream. A request with the last id seen continues after that event
 * @param subject the cluster {@code rides}, the plan {@code dc1-7}, the node {@code rides/dc1/node-0} or the datacenter
 *     {@code dc2}
 * @param text one line for people
 */
public record Event(String id, Instant at, Type type, @Nullable ClusterName cluster, String subject, String text) {

    /** The kind of object that the subject names. */
    public enum Type {
        LEADERSHIP,
        CLUSTER,
        PLAN,
        NODE,
        POOL,
        PEER,
        AUDIT,
        /** Events after the last one seen are lost, or the stream belongs to another server: read everything again. */
        RESET
    }
}
