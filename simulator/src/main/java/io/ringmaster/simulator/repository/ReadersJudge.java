package io.ringmaster.simulator.repository;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.invariant.Violation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Whether nothing is deleted that a restore reads, as long as it renews its mark. */
final class ReadersJudge {
    /** Written out, so that a change of the collector's own number is noticed. */
    private static final long FRESH_MILLIS = 7 * 86_400_000L;

    private static final class Reading {
        private final BackupId backup;
        private final String mark;
        private long markedAt = Long.MIN_VALUE / 2;
        /** Its mark is put, and it saw the backup and no mark of deletion after that. */
        private boolean accepted;

        Reading(BackupId backup, String mark) {
            this.backup = backup;
            this.mark = mark;
        }
    }

    private final VirtualClock clock;
    private final Map<Actor, Reading> readings = new HashMap<>();

    ReadersJudge(VirtualClock clock) {
        this.clock = clock;
    }

    void start(Actor actor, BackupId backup, String mark) {
        readings.put(actor, new Reading(backup, mark));
    }

    void put(Actor actor, String key) {
        Reading reading = readings.get(actor);
        if (reading != null && reading.mark.equals(key)) {
            reading.accepted &= isFresh(reading); // collections may have started to delete
            reading.markedAt = clock.nowMillis();
        }
    }

    void accept(Actor actor) {
        Reading reading = readings.get(actor);
        if (reading != null) {
            reading.accepted = isFresh(reading);
        }
    }

    void delete(Actor actor, String key, Map<BackupId, Set<String>> named) {
        readings.forEach((reader, reading) -> {
            if (reader.equals(actor) && reading.mark.equals(key)) {
                reading.accepted = false;
            }
            boolean reads = !reader.isOver() && reading.accepted && isFresh(reading);
            if (reads && named.getOrDefault(reading.backup, Set.of()).contains(key)) {
                throw new Violation(
                        "readers-served",
                        actor + " deletes " + key + " of " + reading.backup + ": " + reader + " reads");
            }
        });
    }

    private boolean isFresh(Reading reading) {
        return clock.nowMillis() - reading.markedAt < FRESH_MILLIS;
    }
}
