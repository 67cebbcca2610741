package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Writes row after row at LOCAL_QUORUM, and knows which were acknowledged: none of those may be lost, whatever happened
 * meanwhile.
 */
final class Ledger implements AutoCloseable {
    private final CqlSession session;
    /** With the time of each acknowledgement. */
    private final Map<Integer, Instant> acknowledged = new ConcurrentSkipListMap<>();

    private final AtomicInteger refused = new AtomicInteger();
    private final Thread thread;
    private volatile boolean running = true;

    /** The table {@code trips.ledger (number int PRIMARY KEY, text text)} is made. */
    Ledger(CqlSession session) {
        this.session = session;
        session.execute("CREATE TABLE IF NOT EXISTS trips.ledger (number int PRIMARY KEY, text text)");
        this.thread = new Thread(this::loop, "ledger");
        thread.setDaemon(true);
        thread.start();
    }

    private void loop() {
        for (int number = 0; running; number++) {
            try {
                session.execute(
                        quorum("INSERT INTO trips.ledger (number, text) VALUES (" + number + ", 'n" + number + "')")
                                .setTimeout(SteadyReader.PATIENCE));
                acknowledged.put(number, Instant.now());
                Thread.sleep(20);
            } catch (DriverException e) {
                refused.incrementAndGet(); // not acknowledged: the cluster promised nothing
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    void awaitRows(int count, Duration limit) {
        Patience.until(count + " rows of the ledger", limit, acknowledged::size, size -> size >= count);
    }

    /** The rows that were not acknowledged. */
    int refused() {
        return refused.get();
    }

    /**
     * Every row acknowledged so far is read at LOCAL_QUORUM through each session, at the latest when hints were handed
     * over, and at ALL.
     */
    void assertKept(List<CqlSession> sessions, Duration limit) {
        List<Integer> numbers = List.copyOf(acknowledged.keySet());
        assertThat(numbers).as("acknowledged rows").isNotEmpty();
        for (CqlSession side : sessions) {
            assertKept(side, numbers, DefaultConsistencyLevel.LOCAL_QUORUM, limit);
        }
        assertKept(sessions.get(0), numbers, DefaultConsistencyLevel.ALL, limit);
    }

    private static void assertKept(
            CqlSession side, List<Integer> numbers, DefaultConsistencyLevel level, Duration limit) {
        AtomicReference<List<Integer>> missing = new AtomicReference<>(numbers);
        Patience.until(
                numbers.size() + " rows of the ledger at " + level,
                limit,
                () -> missing.updateAndGet(left -> missing(side, left, level)),
                List::isEmpty);
    }

    /**
     * Every row that was acknowledged before {@code cut} is read at ALL in a cluster that has the data of that time.
     *
     * @return the number of these rows
     */
    int assertRestored(CqlSession restored, Instant cut) {
        List<Integer> numbers = acknowledged.entrySet().stream()
                .filter(a -> a.getValue().isBefore(cut))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(numbers).as("rows acknowledged before " + cut).isNotEmpty();
        assertThat(missing(restored, numbers, DefaultConsistencyLevel.ALL))
                .as("of " + numbers.size() + " rows acknowledged before " + cut)
                .isEmpty();
        return numbers.size();
    }

    /**
     * One scan: after some minutes there are tens of thousands of rows, and read one by one they would
     * take longer than the failure.
     */
    private static List<Integer> missing(CqlSession side, List<Integer> numbers, DefaultConsistencyLevel level) {
        Map<Integer, String> found = new HashMap<>();
        for (Row row :
                side.execute(quorum("SELECT number, text FROM trips.ledger").setConsistencyLevel(level))) {
            found.put(row.getInt("number"), row.getString("text"));
        }
        return numbers.stream().filter(n -> !("n" + n).equals(found.get(n))).toList();
    }

    private static SimpleStatement quorum(String cql) {
        return SimpleStatement.newInstance(cql)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
    }

    @Override
    public void close() {
        running = false;
        try {
            thread.join(30_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
