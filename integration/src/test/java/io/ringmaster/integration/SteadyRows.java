package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** The table {@code trips.place}, whose rows a service reads and writes steadily at LOCAL_QUORUM. */
final class SteadyRows implements AutoCloseable {
    private static final int ROWS = 1000;
    /** The number of the first row that is written steadily. */
    private static final int STEADY = 10_000;

    private final CqlSession session;
    private final SteadyReader writer;
    private final SteadyReader reader;

    /** @param replicas such as {@code 'dc1': 3} */
    SteadyRows(CqlSession session, String replicas) {
        this.session = session;
        session.execute(
                "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', " + replicas + "}");
        session.execute("CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
        IntStream.range(0, ROWS).forEach(i -> session.execute(write(i)));
        writer = new SteadyReader(session, i -> write(STEADY + i));
        reader = new SteadyReader(session, this::readOldOrNew);
    }

    /** In turn a row of the beginning and the one that was acknowledged last. */
    private SimpleStatement readOldOrNew(int number) {
        int last = writer.last();
        return number % 2 == 0 || last < 0 ? read(number % ROWS) : read(STEADY + last);
    }

    private static SimpleStatement read(int rider) {
        return quorum("SELECT city FROM trips.place WHERE rider = " + rider);
    }

    private static SimpleStatement write(int rider) {
        return quorum("INSERT INTO trips.place (rider, city) VALUES (" + rider + ", 'Pune')");
    }

    static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
    }

    /** No request failed so far, and every acknowledged row is read at ALL, once every replica is up. */
    void assertNothingLost(Duration limit) {
        reader.assertServed();
        writer.assertServed();
        int written = writer.answered();
        Set<Integer> there = Patience.until("a read of every row at ALL", limit, this::riders, riders -> true);
        assertThat(IntStream.concat(IntStream.range(0, ROWS), IntStream.range(STEADY, STEADY + written))
                        .filter(i -> !there.contains(i)))
                .as("rows of " + written + " steady writes that are not there")
                .isEmpty();
    }

    private Set<Integer> riders() {
        Set<Integer> riders = new HashSet<>();
        session.execute(quorum("SELECT rider FROM trips.place").setConsistencyLevel(DefaultConsistencyLevel.ALL))
                .forEach(row -> riders.add(row.getInt(0)));
        return riders;
    }

    /** No more reads and writes from now on. */
    @Override
    public void close() {
        reader.close();
        writer.close();
    }
}
