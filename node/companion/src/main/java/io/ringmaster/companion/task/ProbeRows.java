package io.ringmaster.companion.task;

import java.util.UUID;
import org.apache.cassandra.db.ConsistencyLevel;
import org.jspecify.annotations.Nullable;

/** One round of a probe: rows that are written and read back, one after another. */
final class ProbeRows {
    static final int ROWS = 16;

    /** The table of a probe, through this node as coordinator. */
    interface Table {
        void write(UUID id, long value, ConsistencyLevel level);

        /** @return the value of the row; null if it is not there */
        @Nullable
        Long read(UUID id, ConsistencyLevel level);
    }

    private ProbeRows() {}

    /**
     * @param first the value of the first row; each further one is larger by 1
     * @throws IllegalStateException a row was acknowledged, and is not there or has another value
     */
    static void writeAndReadBack(Table table, ConsistencyLevel level, long first) {
        for (long value = first; value < first + ROWS; value++) {
            UUID id = UUID.randomUUID();
            table.write(id, value, level);
            Long read = table.read(id, readLevel(level));
            if (read == null || read != value) {
                throw new IllegalStateException("a row written at " + level + " was not read back");
            }
        }
    }

    /** Cassandra reads at no level of each datacenter; a quorum of all replicas meets each of these writes. */
    private static ConsistencyLevel readLevel(ConsistencyLevel level) {
        return level == ConsistencyLevel.EACH_QUORUM ? ConsistencyLevel.QUORUM : level;
    }
}
