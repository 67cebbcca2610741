package io.ringmaster.companion.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class KeyspacesTest {
    private static final TableId TRIPS = TableId.fromString("8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10");
    private static final TableId RIDERS = TableId.fromString("8f2d1c61-6f0a-11f0-9a4b-1b3c5d7e9f10");

    /** The last truncation of the tables that are there. */
    private final Map<TableId, Long> tables = new HashMap<>(Map.of(TRIPS, 0L, RIDERS, 0L));

    private <T> Optional<T> run(Callable<T> work) throws Exception {
        return Keyspaces.unlessChanged(List.of(TRIPS, RIDERS), t -> Optional.ofNullable(tables.get(t)), work);
    }

    @Test
    void the_failure_of_work_on_a_table_that_was_dropped_is_none() throws Exception {
        assertThat(run(() -> {
                    tables.remove(TRIPS);
                    throw new IOException("Unknown keyspace/cf pair (rides.trips)");
                }))
                .isEmpty();
        assertThat(run(() -> {
                    tables.remove(RIDERS);
                    throw new AssertionError("Unknown keyspace rides");
                }))
                .as("Keyspace.open asserts")
                .isEmpty();
    }

    @Test
    void a_truncation_ends_compactions_and_validations_so_the_work_may_be_repeated() throws Exception {
        assertThat(run(() -> {
                    tables.put(TRIPS, 1_764_000_000_000L);
                    throw new IllegalStateException("Compaction interrupted");
                }))
                .isEmpty();
        assertThat(run(() -> "compacted")).contains("compacted");
    }

    @Test
    void any_other_failure_is_one() {
        assertThatThrownBy(() -> run(() -> {
                    throw new IOException("No space left on device");
                }))
                .hasMessage("No space left on device");
        assertThatThrownBy(() -> run(() -> {
                    tables.remove(TRIPS);
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
    }
}
