package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change. Names the object to read again; does not contain its whole state.
 *
 * @param id the opaque position in the stream. A request with the last id seen continues after that event
 * @param datacenter the datacenter that reports it; null for a RESET of all, and from servers of older versions
 * @param cluster the cluster concerned, or null where none is
 * @param subject the cluster {@code rides}, the plan {@code dc1-7}, the node {@code rides/dc1/node-0} or the datacenter
 *     {@code dc2}
 * @param step of a PLAN event: the step that changed, or null for the plan itself
 * @param status of a PLAN event: the status of that step, or else of the plan
 * @param text one line for people
 */
public record Event(
        String id,
        Instant at,
        Type type,
        @Nullable DatacenterName datacenter,
        @Nullable ClusterName cluster,
        String subject,
        @Nullable String step,
        @Nullable String status,
        String text) {

    /** An event about a whole datacenter, or about all when {@code datacenter} is null. Its stream gives it an id. */
    public static Event of(Instant at, Type type, @Nullable DatacenterName datacenter, String subject, String text) {
        return new Event("", at, type, datacenter, null, subject, null, null, text);
    }

    public Event withId(String fresh) {
        return new Event(fresh, at, type, datacenter, cluster, subject, step, status, text);
    }

    public Event in(DatacenterName reporting) {
        return new Event(id, at, type, reporting, cluster, subject, step, status, text);
    }

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
