package io.ringmaster.integration;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One client that in turn counts a counter, reads it, takes the next turn of a row by a lightweight transaction, and
 * reads that at LOCAL_SERIAL.
 */
final class CountersAndTurns implements Requests {
    static final List<String> TABLES = List.of(
            "CREATE TABLE trips.counted (id int PRIMARY KEY, rides counter)",
            "CREATE TABLE trips.turn (id int PRIMARY KEY, turn int)",
            "INSERT INTO trips.turn (id, turn) VALUES (0, 0)");

    /**
     * The coordinator of a counter takes any replica as its leader, also one that is dead and not yet convicted, for
     * which it waits 5 s each time.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How often the counter was to count, also for requests that were sent again. */
    private int sent;

    private int counted;
    private int turn;

    @Override
    public SimpleStatement next(int number) {
        return switch (number % 4) {
            case 0 -> {
                sent++;
                yield SteadyRows.quorum("UPDATE trips.counted SET rides = rides + 1 WHERE id = 0")
                        .setIdempotent(false);
            }
            case 1 -> SteadyRows.quorum("SELECT rides FROM trips.counted WHERE id = 0");
            case 2 ->
                SteadyRows.quorum("UPDATE trips.turn SET turn = " + (turn + 1) + " WHERE id = 0 IF turn = " + turn)
                        .setSerialConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL);
            default ->
                SteadyRows.quorum("SELECT turn FROM trips.turn WHERE id = 0")
                        .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL);
        };
    }

    @Override
    public void repeated() {
        sent++;
    }

    @Override
    public Duration patience() {
        return PATIENCE;
    }

    @Override
    public @Nullable String judge(int number, ResultSet answer) {
        Row row = answer.one();
        switch (number % 4) {
            case 0 -> counted++;
            case 1 -> {
                boolean right = row != null && counted <= row.getLong(0) && row.getLong(0) <= sent;
                return right ? null : "counted " + counted + " of " + sent + ", read " + text(row);
            }
            case 2 -> {
                // not applied: it timed out, was sent again, and the first one had been applied
                boolean taken = row != null
                        && (row.getBoolean("[applied]")
                                || (row.getColumnDefinitions().contains("turn") && row.getInt("turn") == turn + 1));
                if (!taken) {
                    return "turn " + (turn + 1) + " was not taken: " + text(row);
                }
                turn++;
            }
            default -> {
                return row != null && row.getInt(0) == turn ? null : "turn " + turn + ", read " + text(row);
            }
        }
        return null;
    }

    private static String text(@Nullable Row row) {
        return row == null ? "no row" : row.getFormattedContents();
    }
}
