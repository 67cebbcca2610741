package io.ringmaster.controller;

import java.time.Instant;

/**
 * Something changed: for streams of events. Read the subject again to see how it stands now.
 *
 * @param revision grows with each event, also across restarts of the server as long as its clock does not step back
 * @param subject the plan, cluster, node, machine or datacenter it is about
 * @param text one line for people
 */
public record Event(long revision, Instant at, Kind kind, String subject, String text) {
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
