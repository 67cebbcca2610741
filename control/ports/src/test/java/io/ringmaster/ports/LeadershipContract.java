package io.ringmaster.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of every {@link Leadership}. */
@Timeout(120)
public abstract class LeadershipContract {
    protected static final Duration LIMIT = Duration.ofSeconds(30);

    /** A candidate in the election of this test method. */
    protected abstract Leadership candidate(String url);

    /** The store of the same datacenter. */
    protected abstract Store store();

    /** Ends the candidate's session, like a long pause or a network partition. */
    protected abstract void loseSession(Leadership candidate);

    /** The callbacks of a candidate: positive numbers are epochs, {@link #LOST} is the loss of the lead. */
    protected static final class Told implements Leadership.Listener {
        static final long LOST = -1;
        final List<Long> events = new CopyOnWriteArrayList<>();

        @Override
        public void onElected(long epoch) {
            events.add(epoch);
        }

        @Override
        public void onLost() {
            events.add(LOST);
        }

        boolean leads() {
            return !events.isEmpty() && events.get(events.size() - 1) > 0;
        }

        long epoch() {
            return events.stream().mapToLong(e -> e).max().orElseThrow();
        }
    }

    protected static void await(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    @Test
    void a_single_server_is_elected_and_announced() {
        Told told = new Told();
        try (Leadership one = candidate("http://127.0.0.1:8080")) {
            one.start(told);
            await("elected", told::leads);
            assertThat(told.epoch()).isPositive();
            await("announced", () -> one.leaderUrl()
                    .filter("http://127.0.0.1:8080"::equals)
                    .isPresent());
        }
    }

    @Test
    void one_of_two_servers_leads_and_both_know_which() {
        Told first = new Told();
        Told second = new Told();
        try (Leadership one = candidate("http://127.0.0.1:1");
                Leadership two = candidate("http://127.0.0.1:2")) {
            one.start(first);
            await("first elected", first::leads);
            two.start(second);
            await(
                    "standby knows the leader",
                    () -> two.leaderUrl().filter("http://127.0.0.1:1"::equals).isPresent());
            assertThat(second.leads()).isFalse();
        }
    }

    @Test
    void the_other_server_leads_with_a_higher_epoch_after_the_leader_left() {
        Told first = new Told();
        Told second = new Told();
        Leadership one = candidate("http://127.0.0.1:1");
        try (Leadership two = candidate("http://127.0.0.1:2")) {
            one.start(first);
            await("first elected", first::leads);
            two.start(second);
            one.close();
            await("second elected", second::leads);
            assertThat(first.leads()).isFalse();
            assertThat(second.epoch()).isGreaterThan(first.epoch());
            await(
                    "announced",
                    () -> two.leaderUrl().filter("http://127.0.0.1:2"::equals).isPresent());
        } finally {
            one.close();
        }
    }

    @Test
    void a_lost_session_ends_the_leadership_and_the_next_epoch_is_higher() {
        Told told = new Told();
        try (Leadership one = candidate("http://127.0.0.1:1")) {
            one.start(told);
            await("elected", told::leads);
            loseSession(one);
            await("lost", () -> told.events.contains(Told.LOST));
            await("elected again", told::leads);
            assertThat(told.events.get(told.events.size() - 1)).isGreaterThan(told.events.get(0));
        }
    }

    @Test
    void an_election_closes_the_store_to_the_previous_leader() {
        Told first = new Told();
        Told second = new Told();
        try (Leadership one = candidate("http://127.0.0.1:1");
                Leadership two = candidate("http://127.0.0.1:2");
                Store store = store()) {
            one.start(first);
            await("first elected", first::leads);
            store.commit(first.epoch(), List.of());
            two.start(second);
            loseSession(one);
            await("second elected", second::leads);
            assertThatThrownBy(() -> store.commit(first.events.get(0), List.of()))
                    .isInstanceOf(StaleEpochException.class);
            store.commit(second.epoch(), List.of());
        }
    }

    @Test
    void epochs_grow_even_after_all_servers_were_down() {
        long before = leadOnce();
        assertThat(leadOnce()).isGreaterThan(before);
    }

    private long leadOnce() {
        Told told = new Told();
        try (Leadership one = candidate("http://127.0.0.1:1")) {
            one.start(told);
            await("elected", told::leads);
            return told.epoch();
        }
    }
}
