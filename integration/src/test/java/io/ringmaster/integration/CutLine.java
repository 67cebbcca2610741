package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The line between the two datacenters of a playground with {@code --wan} is cut and healed under writes on both sides.
 *
 * @param nodes in each datacenter
 */
record CutLine(Playground playground, int nodes) {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** Makes the table of the writes, with as many replicas in each datacenter, and waits until each side knows it. */
    static void makeTable(int replicas, CqlSession dc1, CqlSession dc2) {
        Ddl.execute(
                dc1,
                "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':" + replicas
                        + ",'dc2':" + replicas + "}");
        Ddl.execute(dc1, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text) WITH read_repair = 'NONE'");
        for (CqlSession side : List.of(dc1, dc2)) {
            Patience.until("one schema", SOON, side::checkSchemaAgreement, agreed -> agreed);
        }
    }

    /** No write fails, each side says that it is cut off, and a quorum on each side has every row afterwards. */
    void cutAndHeal(CqlSession dc1, CqlSession dc2) {
        SteadyReader here = writer(dc1, 10_000);
        SteadyReader there = writer(dc2, 20_000);
        try (here;
                there) {
            assertThat(playground.run("playground", "cut", "dc1", "dc2"))
                    .contains("dc1 - dc2  every packet is dropped", "undo", "playground heal dc1 dc2");
            for (String side : List.of("dc1", "dc2")) {
                Patience.until(
                        side + " to say that the other is silent, and each of its nodes that the others are down",
                        SOON,
                        () -> playground.client(side).status(Playground.RIDES, Scope.FLEET),
                        this::isCutOff);
            }
            assertThat(playground.run("playground", "status")).contains("dc1 - dc2  cut");
            playground.run("playground", "heal", "dc1", "dc2");
            playground.whole(2 * nodes, SOON);
        }
        Map.of(10_000, here, 20_000, there).forEach((first, writer) -> {
            writer.assertServed();
            List.of(dc1, dc2).forEach(side -> assertKept(side, first, writer.answered()));
        });
    }

    private boolean isCutOff(ClusterStatus status) {
        long silent =
                status.datacenters().stream().filter(d -> d.silence() != null).count();
        long seenDown = status.findings().stream()
                .filter(f -> f.message().contains("as down"))
                .count();
        return silent == 1 && seenDown == (long) nodes * nodes;
    }

    static SteadyReader writer(CqlSession session, int first) {
        return new SteadyReader(
                session,
                i -> SteadyRows.quorum("INSERT INTO trips.place (rider, city) VALUES (" + (first + i) + ", 'Delhi')"));
    }

    /** A quorum of the session's datacenter has what was acknowledged, once the hints are handed over. */
    static void assertKept(CqlSession side, int first, int count) {
        Patience.until(
                count + " rows from " + first + " on a quorum of replicas",
                SOON,
                () -> {
                    EachReplica each = new EachReplica(side, "trips", "place");
                    return IntStream.range(first, first + count)
                            .filter(rider -> !each.quorumHas(rider, row -> true))
                            .boxed()
                            .toList();
                },
                List::isEmpty);
    }
}
