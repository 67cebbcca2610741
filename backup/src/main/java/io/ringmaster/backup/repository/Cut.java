package io.ringmaster.backup.repository;

import java.time.Instant;

/** When snapshots were taken: the first started, and the last was complete. */
public record Cut(Instant from, Instant to) {
    /** The time in which both were taken. */
    public Cut with(Cut other) {
        return new Cut(from.isBefore(other.from) ? from : other.from, to.isAfter(other.to) ? to : other.to);
    }
}
