package io.ringmaster.controller;

import io.ringmaster.model.name.ClusterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something changed: for streams of events. Read the subject again to see how it stands now.
 *
 * @param revision grows with each event, also across restarts of the server as long as its clock does not step back
 * @param cluster the cluster concerned, or null where none is
 * @param subject the plan, cluster, node, machine or datacenter it is about
 * @param step the step of a plan that changed; null when the plan's own status changed, and for other kinds
 * @param status the status of that step, or else of the plan; null for other kinds
 * @param text one line for people
 */
public record Event(
        long revision,
        Instant at,
        Kind kind,
        @Nullable ClusterName cluster,
        String subject,
        @Nullable String step,
        @Nullable Enum<?> status,
        String text) {
    public enum Kind {
        LEADERSHIP,
        CLUSTER,
        PLAN,
        NODE,
        POOL,
        PEER,
        AUDIT
    }

    /** Takes events on the controller's thread; must not block. */
    @FunctionalInterface
    public interface Listener {
        void on(Event event);
    }
}
