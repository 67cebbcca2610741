package io.ringmaster.simulator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.ledger.RingState.Member;
import io.ringmaster.simulator.ledger.RingState.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final DatacenterName DC2 = new DatacenterName("dc2");
    private static final int ROWS = 40;

    private final VirtualClock clock = new VirtualClock();
    private final Map<String, Map<DatacenterName, Integer>> keyspaces =
            new TreeMap<>(Map.of("trips", new TreeMap<>(Map.of(DC1, 3))));
    private final Ledger ledger = new Ledger(new SeededRandom(1), 0, clock, () -> keyspaces);
    private final Map<Replica, Long> downMillis = new HashMap<>();
    private final List<Replica> gone = new ArrayList<>();
    private final Replica a = node("a", DC1, Long.MIN_VALUE / 2, "r1");
    private final Replica b = node("b", DC1, 0, "r2");
    private final Replica c = node("c", DC1, Long.MAX_VALUE / 2, "r3");

    private static Replica node(String name, DatacenterName datacenter, long token, String rack) {
        Replica replica = new Replica(name, datacenter);
        replica.startsWith(List.of(token), new RackName(rack));
        return replica;
    }

    private RingState ring(Replica... members) {
        return ringJoinedBy(null, members);
    }

    private RingState ringJoinedBy(@Nullable Replica joining, Replica... members) {
        List<Member> all = Stream.of(members)
                .map(m -> new Member(m, status(m), downMillis.getOrDefault(m, 0L)))
                .toList();
        return new RingState(all, joining, false);
    }

    private Status status(Replica member) {
        return gone.contains(member) ? Status.GONE : downMillis.containsKey(member) ? Status.DOWN : Status.SERVES;
    }

    private void write(RingState ring) {
        for (int i = 0; i < ROWS; i++) {
            passes(1);
            ledger.write(ring);
        }
    }

    private void passes(long millis) {
        clock.after(millis, () -> {});
        clock.runUntil(clock.nowMillis() + millis);
    }

    private void assertFine(RingState ring) {
        Audit.Result result = ledger.check(ring);
        assertThat(result.what()).isNull();
        assertThat(result.checked()).isGreaterThan(ROWS / 2);
        assertThat(result.excused()).isZero();
    }

    private void assertBroken(RingState ring, String invariant) {
        Audit.Result result = ledger.check(ring);
        assertThat(result.invariant()).as(result.what()).isEqualTo(invariant);
    }

    @Test
    void every_replica_has_what_was_written_and_deleted() {
        write(ring(a, b, c));
        assertFine(ring(a, b, c));
    }

    @Test
    void a_replica_that_was_down_receives_its_hints() {
        downMillis.put(c, 1000L);
        write(ring(a, b, c));
        downMillis.remove(c);
        assertFine(ring(a, b, c));
    }

    @Test
    void nothing_is_acknowledged_without_a_quorum() {
        downMillis.put(b, 1000L);
        downMillis.put(c, 1000L);
        write(ring(a, b, c));
        assertThat(ledger.check(ring(a, b, c)).checked()).isZero();
    }

    @Test
    void a_replica_that_is_down_for_longer_than_the_hint_window_lacks_rows_until_a_repair() {
        downMillis.put(c, Hint.WINDOW_MILLIS + 1);
        write(ring(a, b, c));
        downMillis.clear();
        RingState ring = ring(a, b, c);
        long without = ledger.rows().stream().filter(r -> c.cell(r).isEmpty()).count();
        assertThat(without).isPositive();
        Stream.of(a, b, c).forEach(n -> ledger.repaired(n, Map.of(), Share.ALL, ring));
        assertThat(ledger.rows().stream().filter(r -> c.cell(r).isEmpty())).isEmpty();
    }

    @Test
    void a_repair_leaves_ranges_with_a_dead_replica_as_they_are_and_is_not_complete() {
        downMillis.put(c, Hint.WINDOW_MILLIS + 1);
        write(ring(a, b, c));
        assertThat(ledger.repaired(a, Map.of("replica_ranges", "true"), Share.ALL, ring(a, b, c)))
                .as("the task waits for the dead replica")
                .isFalse();
        assertThat(ledger.rows().stream().filter(r -> c.cell(r).isPresent())).isEmpty();
        downMillis.clear();
        assertThat(ledger.repaired(a, Map.of("replica_ranges", "true"), Share.ALL, ring(a, b, c)))
                .isTrue();
        assertThat(ledger.rows().stream().filter(r -> c.cell(r).isEmpty())).isEmpty();
    }

    @Test
    void a_newcomer_streams_from_the_replica_that_loses_the_range_and_that_one_cleans_up() {
        write(ring(a, b, c));
        Replica d = node("d", DC1, Long.MIN_VALUE / 4, "r1");
        ledger.bootstraps(d, Share.ALL, ringJoinedBy(d, a, b, c));
        RingState after = ring(a, b, c, d);
        long before = ledger.rows().stream().filter(r -> a.cell(r).isPresent()).count();
        ledger.cleanedUp(a, Map.of(), Share.ALL, after);
        assertThat(ledger.rows().stream().filter(r -> a.cell(r).isPresent()).count())
                .isLessThan(before);
        assertFine(after);
    }

    @Test
    void a_newcomer_receives_writes_while_it_joins() {
        Replica d = node("d", DC1, Long.MIN_VALUE / 4, "r1");
        write(ringJoinedBy(d, a, b, c));
        assertFine(ring(a, b, c, d));
    }

    @Test
    void newcomers_that_do_not_bootstrap_lack_rows() {
        write(ring(a, b, c));
        Replica d = node("d", DC1, Long.MIN_VALUE / 4, "r1");
        assertBroken(ring(a, b, c, d), Audit.COMPLETE);
        Replica e = node("e", DC1, Long.MIN_VALUE / 4 + 1, "r2");
        assertBroken(ring(a, b, c, d, e), Audit.READABLE);
    }

    @Test
    void a_node_hands_its_ranges_over_when_it_leaves() {
        Replica d = node("d", DC1, Long.MIN_VALUE / 4, "r1");
        write(ring(a, b, c, d));
        ledger.handedOver(d, Share.ALL, ring(a, b, c, d));
        ledger.decommissioned(d, ring(a, b, c, d));
        assertFine(ring(a, b, c));
    }

    @Test
    void the_ranges_of_a_removed_node_come_from_the_other_replicas() {
        Replica d = node("d", DC1, Long.MIN_VALUE / 4, "r1");
        write(ring(a, b, c, d));
        ledger.volumeLost(d, ring(a, b, c, d));
        gone.add(d);
        ledger.removed(d, ring(a, b, c, d));
        assertFine(ring(a, b, c));
    }

    @Test
    void a_replacement_streams_from_the_other_replicas() {
        write(ring(a, b, c));
        ledger.volumeLost(b, ring(a, b, c));
        gone.add(b);
        Replica replacement = node("b-2", DC1, 0, "r2");
        ledger.bootstraps(replacement, Share.ALL, ringJoinedBy(replacement, a, b, c));
        assertFine(ring(a, c, replacement));
    }

    @Test
    void a_replica_need_not_have_the_row_whose_hint_went_with_its_replaced_keeper() {
        downMillis.put(c, 1000L);
        write(ring(a, b, c));
        downMillis.clear();
        assertThat(Stream.of(a, b).mapToInt(n -> n.hints().size()).sum()).isPositive();
        ledger.replaced(a);
        ledger.removed(b, ring(a, b, c));
        assertThat(Stream.of(a, b).flatMap(n -> n.hints().stream())).isEmpty();
        assertThat(ledger.check(ring(a, b, c)).what()).isNull();
        assertThat(ledger.rows().stream().filter(r -> c.cell(r).isEmpty())).isNotEmpty();
    }

    @Test
    void a_rebuild_brings_the_rows_of_another_datacenter() {
        write(ring(a, b, c));
        keyspaces.put("trips", new TreeMap<>(Map.of(DC1, 3, DC2, 1)));
        Replica d = node("d", DC2, 1, "r1");
        RingState ring = ring(a, b, c, d);
        assertBroken(ring, Audit.READABLE);
        ledger.rebuilt(d, DC1, Map.of("from", "dc1"), Share.ALL, ring);
        assertFine(ring);
    }

    @Test
    void a_row_whose_last_copy_a_fault_destroyed_is_excused() {
        keyspaces.put("trips", new TreeMap<>(Map.of(DC1, 1)));
        write(ring(a));
        ledger.volumeLost(a, ring(a));
        gone.add(a);
        Audit.Result result = ledger.check(ring(a));
        assertThat(result.what()).isNull();
        assertThat(result.checked() + result.excused()).isPositive();
        assertThat(result.checked()).isLessThan(result.excused());
    }

    @Test
    void a_row_that_only_a_cleanup_lost_has_vanished() {
        keyspaces.put("trips", new TreeMap<>(Map.of(DC1, 1)));
        write(ring(a));
        assertThat(ledger.vanished(ring(a))).isEmpty();
        ledger.cleanedUp(a, Map.of(), Share.ALL, ring(b));
        assertThat(ledger.vanished(ring(a))).isPresent();
    }

    @Test
    void two_volumes_at_once_are_more_than_replication_covers() {
        downMillis.put(c, Hint.WINDOW_MILLIS + 1);
        write(ring(a, b, c));
        downMillis.clear();
        lose(a, ring(a, b, c));
        lose(b, ring(a, b, c));
        assertThat(ledger.vanished(ring(a, b, c))).isEmpty();
    }

    @Test
    void a_volume_of_another_datacenter_does_not_excuse_what_a_local_quorum_lost() {
        keyspaces.put("trips", new TreeMap<>(Map.of(DC1, 3, DC2, 1)));
        Replica d = node("d", DC2, 1, "r1");
        RingState ring = ring(a, b, c, d);
        write(ring);
        Stream.of(b, c).forEach(n -> n.drop(row -> true));
        lose(d, ring);
        lose(a, ring);
        List<Row> local = ledger.rows().stream()
                .filter(r -> DC1.equals(r.local()) && r.isAcknowledged())
                .toList();
        assertThat(local).isNotEmpty().noneMatch(Row::isLost);
    }

    @Test
    void two_volumes_one_after_the_other_lose_no_row() {
        downMillis.put(c, Hint.WINDOW_MILLIS + 1);
        write(ring(a, b, c));
        Replica a2 = replacedFrom(c, a, ring(a, b, c), b);
        lose(b, ring(a2, b, c));
        assertThat(ledger.vanished(ring(a2, b, c))).isPresent();
    }

    @Test
    void a_lost_hint_excuses_its_target_alone() {
        keyspaces.put("trips", new TreeMap<>(Map.of(DC1, 5)));
        Replica d = node("d", DC1, 1, "r1");
        Replica e = node("e", DC1, 2, "r2");
        downMillis.put(c, Hint.WINDOW_MILLIS + 1);
        write(ring(a, b, c, d, e));
        downMillis.clear();
        assertThat(ledger.check(ring(a, b, c, d, e)).what()).isNull();
        Replica d2 = replacedFrom(c, d, ring(a, b, c, d, e), a, b, e);
        assertBroken(ring(a, b, c, d2, e), Audit.COMPLETE);
    }

    private void lose(Replica replica, RingState ring) {
        ledger.volumeLost(replica, ring);
        gone.add(replica);
    }

    /** @param down the members from which the replacement cannot stream */
    private Replica replacedFrom(Replica source, Replica dead, RingState ring, Replica... down) {
        lose(dead, ring);
        Stream.of(down).forEach(d -> downMillis.put(d, 1000L));
        Replica replacement = node(
                dead + "-2",
                DC1,
                dead.tokens().get(0),
                Objects.requireNonNull(dead.rack()).value());
        ledger.bootstraps(
                replacement, Share.ALL, ringJoinedBy(replacement, ring.members().toArray(Replica[]::new)));
        assertThat(ledger.rows())
                .noneMatch(r -> source.cell(r).isEmpty() && replacement.cell(r).isPresent());
        downMillis.clear();
        return replacement;
    }

    @Test
    void a_tombstone_disappears_after_gc_grace_and_what_it_hid_elsewhere_returns() {
        write(ring(a, b, c));
        downMillis.put(c, Hint.WINDOW_MILLIS + 1);
        write(ring(a, b, c));
        downMillis.clear();
        List<Row> hidden = ledger.rows().stream()
                .filter(r -> r.last().deleted()
                        && c.cell(r).filter(x -> !x.deleted()).isPresent())
                .toList();
        assertThat(hidden).isNotEmpty();
        RingState ring = ring(a, b, c);
        Stream.of(a, b, c).forEach(ledger::compacted);
        assertThat(hidden).allMatch(r -> a.has(r, r.last()) && b.has(r, r.last()));
        passes(Cell.GC_GRACE_MILLIS + 1);
        Stream.of(a, b, c).forEach(ledger::compacted);
        assertThat(hidden).allMatch(r -> a.cell(r).isEmpty() && b.cell(r).isEmpty());
        Stream.of(a, b, c).forEach(n -> ledger.repaired(n, Map.of(), Share.ALL, ring));
        assertThat(hidden).allMatch(r -> a.cell(r).filter(x -> !x.deleted()).isPresent());
        assertBroken(ring, Audit.DELETED);
    }

    @Test
    void a_volume_may_be_lost_while_another_replica_has_each_row() {
        write(ring(a, b, c));
        assertThat(ledger.survives(List.of(a), ring(a, b, c))).isTrue();
        assertThat(ledger.survives(List.of(a, b), ring(a, b, c))).isTrue();
        downMillis.put(c, 1L);
        write(ring(a, b, c));
        assertThat(ledger.survives(List.of(a), ring(a, b, c))).isTrue();
        assertThat(ledger.survives(List.of(a, b), ring(a, b, c)))
                .as("c lacks rows")
                .isFalse();
        downMillis.clear();
        ledger.deliverHints(ring(a, b, c), (keeper, target) -> false);
        assertThat(ledger.survives(List.of(a, b), ring(a, b, c)))
                .as("hints are delivered")
                .isTrue();
    }
}
