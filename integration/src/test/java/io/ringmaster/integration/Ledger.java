package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes row after row at LOCAL_QUORUM, and knows which were acknowledged: no quorum of replicas may lack one of those
 * in the end, whatever happened meanwhile. Its nodes run with {@link EachReplica#options}.
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
        Ddl.execute(
                session,
                "CREATE TABLE IF NOT EXISTS trips.ledger (number int PRIMARY KEY, text text)"
                        + " WITH read_repair = 'NONE'");
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
     * A quorum of the replicas has every row acknowledged so far, each asked alone, once hints are handed over.
     *
     * @param sessions one in each datacenter with replicas
     */
    void assertKept(List<CqlSession> sessions, Duration limit) {
        List<Integer> numbers = List.copyOf(acknowledged.keySet());
        assertThat(numbers).as("acknowledged rows").isNotEmpty();
        for (CqlSession side : sessions) {
            Patience.until(
                    "a quorum of replicas to have " + numbers.size() + " rows of the ledger",
                    limit,
                    () -> missing(side, numbers),
                    String::isEmpty);
        }
    }

    /**
     * A quorum of the replicas of a cluster that has the data of that time, each asked alone, has every row that was
     * acknowledged before {@code cut}.
     *
     * @return the number of these rows
     */
    int assertRestored(CqlSession restored, Instant cut) {
        List<Integer> numbers = acknowledged.entrySet().stream()
                .filter(a -> a.getValue().isBefore(cut))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(numbers).as("rows acknowledged before " + cut).isNotEmpty();
        assertThat(missing(restored, numbers))
                .as("of " + numbers.size() + " rows acknowledged before " + cut)
                .isEmpty();
        return numbers.size();
    }

    /** The rows that a quorum lacks, in words; empty if there is none. */
    private static String missing(CqlSession side, List<Integer> numbers) {
        EachReplica each = new EachReplica(side, "trips", "ledger");
        List<Integer> missing = numbers.stream()
                .filter(n -> !each.quorumHas(n, row -> ("n" + n).equals(row.getString("text"))))
                .toList();
        return missing.isEmpty() ? "" : missing.size() + " rows, the first " + missing.get(0) + "; " + each;
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
