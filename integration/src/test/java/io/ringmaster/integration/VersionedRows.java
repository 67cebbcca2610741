package io.ringmaster.integration;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Rows of {@code trips.version (rider int PRIMARY KEY, version int)} that one client overwrites and deletes in turn:
 * each fifth version of a row is a delete. It knows what a read may return at any moment: never a version older than
 * the newest one that was acknowledged before.
 */
final class VersionedRows implements Requests {
    /** Without read repair, so that a row is on a replica by its own doing or not at all. */
    static final String TABLE =
            "CREATE TABLE trips.version (rider int PRIMARY KEY, version int) WITH read_repair = 'NONE'";

    private static final int DELETES = 5;
    /** No divisor of the number of rows. */
    private static final int STRIDE = 7;

    private final int first;
    private final AtomicIntegerArray sent;
    private final AtomicIntegerArray acknowledged;

    /** The rows {@code first} to {@code first + count - 1}. */
    VersionedRows(int first, int count) {
        this.first = first;
        sent = new AtomicIntegerArray(count);
        acknowledged = new AtomicIntegerArray(count);
    }

    @Override
    public SimpleStatement next(int number) {
        int row = number % sent.length();
        int version = sent.incrementAndGet(row);
        int rider = first + row;
        return SteadyRows.quorum(
                isDelete(version)
                        ? "DELETE FROM trips.version WHERE rider = " + rider
                        : "INSERT INTO trips.version (rider, version) VALUES (" + rider + ", " + version + ")");
    }

    @Override
    public @Nullable String judge(int number, ResultSet answer) {
        int row = number % sent.length();
        acknowledged.set(row, sent.get(row));
        return null;
    }

    private static boolean isDelete(int version) {
        return version % DELETES == 0;
    }

    int first() {
        return first;
    }

    int count() {
        return sent.length();
    }

    /** The newest version of a row that was acknowledged; 0 before the first. */
    int acknowledged(int rider) {
        return acknowledged.get(rider - first);
    }

    /**
     * What is wrong with a row that was read, or null.
     *
     * @param since what was acknowledged before the read began
     * @param found null: no row
     */
    @Nullable
    String wrong(int rider, int since, @Nullable Integer found) {
        int newest = sent.get(rider - first);
        boolean explained = found == null
                ? newest / DELETES > (since - 1) / DELETES || since == 0
                : since <= found && found <= newest && !isDelete(found);
        return explained ? null : "rider " + rider + " has version " + found + ", acknowledged: " + since;
    }

    /** Reads of these rows, in another order than they are written. */
    Requests reads() {
        return new Requests() {
            private int since;

            @Override
            public SimpleStatement next(int number) {
                since = acknowledged(rider(number));
                return SteadyRows.quorum("SELECT version FROM trips.version WHERE rider = " + rider(number));
            }

            @Override
            public @Nullable String judge(int number, ResultSet answer) {
                Row row = answer.one();
                return wrong(rider(number), since, row == null ? null : row.getInt(0));
            }

            private int rider(int number) {
                return first + Math.floorMod(number * STRIDE, count());
            }
        };
    }
}
