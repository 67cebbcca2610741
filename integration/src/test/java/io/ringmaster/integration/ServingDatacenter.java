package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.wire.api.ClusterStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A playground of one datacenter, of three nodes at first, for all tests of a class: its rows, three replicas of each,
 * are read and written steadily at LOCAL_QUORUM. When the tests are over nothing of it may still run.
 */
final class ServingDatacenter implements BeforeAllCallback, AfterAllCallback {
    static final Duration SOON = Duration.ofMinutes(6);
    private static final int ROWS = 1000;
    /** The number of the first row that is written while the tests run. */
    private static final int STEADY = 10_000;

    private final String[] options;
    private CqlSession session;
    private SteadyReader reader;
    private SteadyReader writer;

    /** @param options of the playground, beside that of one datacenter */
    ServingDatacenter(String... options) {
        this.options = Stream.concat(Stream.of("--datacenters", "1"), Stream.of(options))
                .toArray(String[]::new);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        ClusterStatus status = Playground.up(options).whole(3, SOON);
        session = Playground.session(status, "dc1");
        session.execute("CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':3}");
        session.execute("CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
        IntStream.range(0, ROWS).forEach(i -> session.execute(write(i)));
        writer = new SteadyReader(session, i -> write(STEADY + i));
        reader = new SteadyReader(session, this::readOldOrNew);
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        for (AutoCloseable open :
                Stream.of(reader, writer, session).filter(Objects::nonNull).toList()) {
            open.close();
        }
        Playground.attached().close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    /** No request failed so far, and every acknowledged row is read at ALL, once every replica is up. */
    void assertNothingLost() {
        reader.assertServed();
        writer.assertServed();
        int written = writer.answered();
        Set<Integer> there = Patience.until("a read of every row at ALL", SOON, this::riders, riders -> true);
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

    void changeSchema(String statement) {
        session.execute(statement);
    }

    /** No more reads and writes from now on. */
    void rest() {
        reader.close();
        writer.close();
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
}
