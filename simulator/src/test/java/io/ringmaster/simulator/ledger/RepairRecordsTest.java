package io.ringmaster.simulator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.ledger.RepairTimes.Misjudged;
import io.ringmaster.simulator.ledger.RingState.Member;
import io.ringmaster.simulator.ledger.RingState.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node whose clock was wrong during a repair repairs again; the check of the replicas finds one that does not. */
class RepairRecordsTest {
    private static final DatacenterName DC = new DatacenterName("dc1");
    private static final Duration DAY = Duration.ofDays(1);

    private final VirtualClock clock = new VirtualClock();
    private final Ledger ledger = new Ledger(new SeededRandom(1), 0, clock, () -> Map.of("trips", Map.of(DC, 3)));
    private final Replica a = node("a", Long.MIN_VALUE / 2);
    private final Replica b = node("b", 0);
    private final Replica c = node("c", Long.MAX_VALUE / 2);

    private static Replica node(String name, long token) {
        Replica replica = new Replica(name, DC);
        replica.startsWith(List.of(token), new RackName("r-" + name));
        return replica;
    }

    @Test
    void a_record_from_the_future_proves_no_repair() {
        repairsThenLosesHints(DAY, DAY);
        repairs(Duration.ZERO, Duration.ZERO, Misjudged.NONE);
        assertThat(ledger.check(ring(Status.SERVES)).what()).isNull();
    }

    @Test
    void a_record_from_the_future_that_counts_is_found() {
        repairsThenLosesHints(DAY, DAY);
        repairs(Duration.ZERO, Duration.ZERO, Misjudged.FUTURE);
        assertThat(ledger.check(ring(Status.SERVES)).invariant()).isEqualTo(Audit.COMPLETE);
    }

    @Test
    void a_record_of_a_clock_that_was_behind_leaves_nothing_out() {
        repairsThenLosesHints(DAY.negated(), Duration.ZERO);
        repairs(Duration.ZERO, Duration.ZERO, Misjudged.NONE);
        assertThat(ledger.check(ring(Status.SERVES)).what()).isNull();
    }

    @Test
    void a_request_of_a_server_whose_clock_is_behind_leaves_nothing_out() {
        repairsThenLosesHints(Duration.ZERO, Duration.ZERO);
        repairs(Duration.ZERO, DAY.negated(), Misjudged.NONE);
        assertThat(ledger.check(ring(Status.SERVES)).what()).isNull();
    }

    @Test
    void a_request_that_is_known_by_its_time_is_found() {
        repairsThenLosesHints(Duration.ZERO, Duration.ZERO);
        repairs(Duration.ZERO, DAY.negated(), Misjudged.LATER);
        assertThat(ledger.check(ring(Status.SERVES)).invariant()).isEqualTo(Audit.COMPLETE);
    }

    @Test
    void what_was_repaired_for_the_request_is_left_out() {
        write(Status.SERVES);
        Map<String, String> args = args(Duration.ZERO);
        RepairTimes times = RepairTimes.of(args, clock.now(), Misjudged.NONE);
        assertThat(ledger.repaired(a, args, Share.ALL, ring(Status.SERVES), times))
                .isTrue();
        assertThat(ledger.repaired(a, args, Share.ALL, ring(Status.DOWN), times))
                .as("it needs no replica that is down")
                .isTrue();
        RepairTimes other = RepairTimes.of(args(DAY), clock.now(), Misjudged.NONE);
        assertThat(ledger.repaired(a, args(DAY), Share.ALL, ring(Status.DOWN), other))
                .as("another request")
                .isFalse();
        Map<String, String> young = new TreeMap<>(args(DAY));
        young.put("max_age", "PT1H");
        RepairTimes later = RepairTimes.of(young, clock.now(), Misjudged.NONE);
        assertThat(ledger.repaired(a, young, Share.ALL, ring(Status.DOWN), later))
                .as("another request, which leaves out what is young")
                .isTrue();
    }

    @Test
    void a_repair_counts_since_its_request_if_the_clock_of_the_node_is_ahead() {
        Map<String, String> args = Map.of("requested_at", clock.now().toString());
        RepairTimes ahead = RepairTimes.of(args, clock.now().plus(DAY), Misjudged.NONE);
        assertThat(ahead.countsSince()).isEqualTo(clock.now());
    }

    /** @param ahead how far the clock of the node is before the right time, and then that of the server */
    private void repairsThenLosesHints(Duration ahead, Duration serverAhead) {
        write(Status.SERVES);
        repairs(ahead, serverAhead, Misjudged.NONE);
        write(Status.DOWN);
    }

    private void repairs(Duration ahead, Duration serverAhead, Misjudged misjudged) {
        Map<String, String> args = args(serverAhead);
        RepairTimes times = RepairTimes.of(args, clock.now().plus(ahead), misjudged);
        assertThat(ledger.repaired(a, args, Share.ALL, ring(Status.SERVES), times))
                .isTrue();
    }

    private Map<String, String> args(Duration serverAhead) {
        String now = clock.now().plus(serverAhead).toString();
        return Map.of("replica_ranges", "true", "unless_after", now, "requested_at", now);
    }

    private void write(Status ofC) {
        for (int i = 0; i < 50; i++) {
            clock.after(1, () -> {});
            clock.runUntil(clock.nowMillis() + 1);
            ledger.write(ring(ofC));
        }
        clock.after(1, () -> {});
        clock.runUntil(clock.nowMillis() + 1);
    }

    /** One that is down is so for longer than hints are kept. */
    private RingState ring(Status ofC) {
        List<Member> members = Stream.of(a, b, c)
                .map(r -> new Member(r, r == c ? ofC : Status.SERVES, Hint.WINDOW_MILLIS + 1))
                .toList();
        return new RingState(members, null, false);
    }
}
