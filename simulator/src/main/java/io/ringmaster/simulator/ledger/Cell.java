package io.ringmaster.simulator.ledger;

/**
 * What one replica holds of a row. Of two, the newer one counts.
 *
 * @param deleted a tombstone
 * @param writtenMillis the timestamp of the write
 */
record Cell(boolean deleted, long writtenMillis) {
    /** The default of Cassandra: 10 days. A compaction then drops the tombstone and everything that it shadows. */
    static final long GC_GRACE_MILLIS = 864_000_000;

    static Cell newer(Cell one, Cell other) {
        return one.writtenMillis >= other.writtenMillis ? one : other;
    }

    boolean isPurgeable(long nowMillis) {
        return deleted && nowMillis - writtenMillis > GC_GRACE_MILLIS;
    }
}
