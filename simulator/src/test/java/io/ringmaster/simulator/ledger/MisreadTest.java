package io.ringmaster.simulator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.ledger.RingState.Member;
import io.ringmaster.simulator.ledger.RingState.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What clients read while rows move. */
class MisreadTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final int ROWS = 200;

    private final VirtualClock clock = new VirtualClock();
    private final Ledger ledger = new Ledger(new SeededRandom(1), 0, clock, () -> Map.of("trips", Map.of(DC1, 3)));
    private final Map<Replica, Status> statuses = new HashMap<>();
    private final Replica a = node("a", Long.MIN_VALUE / 2, "r1");
    private final Replica b = node("b", 0, "r2");
    private final Replica c = node("c", Long.MAX_VALUE / 2, "r3");
    private final Replica d = node("d", Long.MIN_VALUE / 4, "r1");
    private final Replica e = node("e", Long.MIN_VALUE / 4 + 1, "r2");

    private static Replica node(String name, long token, String rack) {
        Replica replica = new Replica(name, DC1);
        replica.startsWith(List.of(token), new RackName(rack));
        return replica;
    }

    private RingState ring(@Nullable Replica joining, Replica... members) {
        List<Member> all = Stream.of(members)
                .map(m -> new Member(m, statuses.getOrDefault(m, Status.SERVES), Hint.WINDOW_MILLIS + 1))
                .toList();
        return new RingState(all, joining, false);
    }

    private void write() {
        for (int i = 0; i < ROWS; i++) {
            clock.after(1, () -> {});
            clock.runUntil(clock.nowMillis() + 1);
            ledger.write(ring(null, a, b, c));
        }
    }

    @Test
    void two_nodes_that_serve_with_a_part_of_their_rows_are_found() {
        write();
        assertThat(ledger.receives(d, Share.HALF, ring(d, a, b, c))).isTrue();
        assertThat(ledger.misread(ring(null, a, b, c, d))).isEmpty();
        ledger.receives(e, Share.HALF, ring(e, a, b, c, d));
        assertThat(ledger.misread(ring(null, a, b, c, d, e))).isPresent();
    }

    @Test
    void nodes_that_have_received_every_piece_are_not() {
        write();
        for (int piece = 0; piece < Share.PIECES; piece++) {
            ledger.receives(d, Share.piece(piece), ring(d, a, b, c));
        }
        ledger.receives(e, Share.ALL, ring(e, a, b, c, d));
        assertThat(ledger.misread(ring(null, a, b, c, d, e))).isEmpty();
    }

    @Test
    void nothing_is_received_from_a_source_that_is_down() {
        write();
        statuses.put(a, Status.DOWN);
        assertThat(ledger.receives(d, Share.ALL, ring(d, a, b, c))).isFalse();
        assertThat(ledger.rows()).noneMatch(r -> d.cell(r).isPresent());
    }

    @Test
    void a_replacement_may_lack_what_its_source_lacks_until_it_is_repaired() {
        statuses.put(c, Status.DOWN);
        write();
        statuses.putAll(Map.of(a, Status.DOWN, b, Status.GONE, c, Status.SERVES));
        Replica replacement = node("b-2", 0, "r2");
        ledger.receives(replacement, Share.ALL, ring(replacement, a, b, c));
        assertThat(ledger.rows()).anyMatch(r -> replacement.cell(r).isEmpty());
        statuses.clear();
        assertThat(ledger.misread(ring(null, a, c, replacement))).isEmpty();
    }
}
