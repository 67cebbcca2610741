package io.ringmaster.companion.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OpenKeyspacesTest {
    private static final TableId TRIPS = TableId.fromString("8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10");
    private static final TableId RIDERS = TableId.fromString("8f2d1c61-6f0a-11f0-9a4b-1b3c5d7e9f10");

    /** The last truncation of the tables that are there. */
    private final Map<TableId, Long> tables = new HashMap<>(Map.of(TRIPS, 0L, RIDERS, 0L));

    private <T> Optional<T> run(Callable<T> work) throws Exception {
        return OpenKeyspaces.unlessDropped(List.of(TRIPS, RIDERS), 3, t -> Optional.ofNullable(tables.get(t)), work);
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
    void a_truncation_ends_compactions_so_the_work_is_repeated() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        assertThat(run(() -> {
                    if (attempts.incrementAndGet() < 3) {
                        tables.put(TRIPS, (long) attempts.get());
                        throw new IllegalStateException("Compaction interrupted");
                    }
                    return "compacted";
                }))
                .contains("compacted");
    }

    @Test
    void a_failure_during_truncations_without_an_end_is_one() {
        AtomicInteger attempts = new AtomicInteger();
        assertThatThrownBy(() -> run(() -> {
                    tables.put(TRIPS, (long) attempts.incrementAndGet());
                    throw new IOException("No space left on device");
                }))
                .hasMessage("No space left on device");
        assertThat(attempts).hasValue(3);
    }

    @Test
    void a_table_that_was_gone_before_excuses_no_failure() {
        tables.remove(TRIPS);
        assertThatThrownBy(() -> run(() -> {
                    throw new IOException("No space left on device");
                }))
                .hasMessage("No space left on device");
    }

    @Test
    void a_failure_that_counts_as_none_is_in_the_log() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(OpenKeyspaces.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            assertThat(run(() -> {
                        tables.remove(TRIPS);
                        throw new IOException("No space left on device");
                    }))
                    .isEmpty();
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getFormattedMessage()).isEqualTo("Work on tables failed that were dropped meanwhile");
            assertThat(event.getThrowableProxy().getClassName()).isEqualTo("java.io.IOException");
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("No space left on device");
        });
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
