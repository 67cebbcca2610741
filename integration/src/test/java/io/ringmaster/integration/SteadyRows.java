package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a service does to a keyspace {@code trips} at LOCAL_QUORUM, while something happens to its cluster: it reads
 * rows of the beginning, two clients overwrite and delete rows, two read them, and one counts and takes turns. Each
 * answer is judged when it comes.
 */
final class SteadyRows implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(25);
    private static final int OLD = 1000;
    private static final int SHOWN = 5;

    private final CqlSession session;
    private final int replicas;
    private final List<VersionedRows> versions = List.of(new VersionedRows(0, 500), new VersionedRows(10_000, 500));
    private final List<SteadyReader> clients = new ArrayList<>();

    /**
     * @param session with clients in {@code datacenter}
     * @param others replicas of other datacenters, such as {@code , 'dc2': 1}
     */
    SteadyRows(CqlSession session, String datacenter, int replicas, String others) {
        this.session = session;
        this.replicas = replicas;
        Ddl.execute(
                session,
                "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', '" + datacenter + "': "
                        + replicas + others + "}");
        Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text) WITH read_repair = 'NONE'");
        Ddl.execute(session, VersionedRows.TABLE);
        CountersAndTurns.TABLES.forEach(statement -> Ddl.execute(session, statement));
        IntStream.range(0, OLD)
                .forEach(i ->
                        session.execute(quorum("INSERT INTO trips.place (rider, city) VALUES (" + i + ", 'Pune')")));
        versions.forEach(this::begin);
        begin(Requests.of(i -> quorum("SELECT city FROM trips.place WHERE rider = " + i % OLD)));
        versions.forEach(v -> begin(v.reads()));
        begin(new CountersAndTurns());
    }

    private void begin(Requests requests) {
        clients.add(new SteadyReader(session, requests, PAUSE));
    }

    static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
    }

    /**
     * No request failed so far, and each replica alone has every acknowledged row, once it has its hints: nobody
     * writes meanwhile, and no read repairs. Then the old rows are read at ALL, too.
     */
    void assertNothingLost(Duration limit) {
        clients.forEach(SteadyReader::assertServed);
        clients.forEach(SteadyReader::hold);
        try {
            Patience.until("each replica to have every row", limit, this::missing, List::isEmpty);
            assertThat(Patience.until("a read of every row at ALL", limit, this::old, riders -> true))
                    .as("old rows")
                    .hasSize(OLD);
        } finally {
            clients.forEach(SteadyReader::goOn);
        }
    }

    private Set<Integer> old() {
        Set<Integer> riders = new HashSet<>();
        session.execute(quorum("SELECT rider FROM trips.place").setConsistencyLevel(DefaultConsistencyLevel.ALL))
                .forEach(row -> riders.add(row.getInt(0)));
        return riders;
    }

    /** What replicas lack, some of it in words; empty if nothing. */
    private List<String> missing() {
        List<String> wrong = new ArrayList<>();
        var places = new EachReplica(session, "trips", "place");
        for (int rider = 0; rider < OLD; rider++) {
            long there = places.of(rider).stream().filter(row -> row != null).count();
            if (there != replicas) {
                wrong.add("rider " + rider + " is on " + there + " replicas of " + replicas);
            }
        }
        var versioned = new EachReplica(session, "trips", "version");
        for (VersionedRows rows : versions) {
            for (int rider = rows.first(); rider < rows.first() + rows.count(); rider++) {
                List<@Nullable Row> each = versioned.of(rider);
                if (each.size() != replicas) {
                    wrong.add("rider " + rider + " has " + each.size() + " replicas");
                }
                for (Row row : each) {
                    String why = rows.wrong(rider, rows.acknowledged(rider), row == null ? null : row.getInt(1));
                    if (why != null) {
                        wrong.add(why + " on one replica");
                    }
                }
            }
        }
        return wrong.size() <= SHOWN
                ? wrong
                : List.of(wrong.size() + " findings, such as " + wrong.subList(0, SHOWN) + "; " + places);
    }

    /** No more reads and writes from now on. */
    @Override
    public void close() {
        clients.forEach(SteadyReader::close);
    }
}
