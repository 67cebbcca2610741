package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.access.Secret;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.spec.SecretKeyRef;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.SecretReader;
import io.ringmaster.ports.UnreadableSecretException;
import io.ringmaster.server.fake.FakePool;
import io.ringmaster.server.fake.FakeRing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolOnDemandTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final SecretKeyRef LOGIN = new SecretKeyRef("app-login", "password");

    private final BlockingQueue<Fact> facts = new LinkedBlockingQueue<>();
    private final PoolRecords records = new FakePoolRecords();
    private final Deque<Supplier<Pool>> openings = new ArrayDeque<>();
    private final PoolOnDemand pool = new PoolOnDemand(() ->
            openings.size() > 1 ? openings.remove().get() : openings.element().get());

    @AfterEach
    void close() {
        pool.close();
    }

    /** A pool whose reports a test makes by hand. */
    private static class Reporting extends FakePool {
        private FactSink own = fact -> {};

        Reporting() {
            super(List.<Machine>of(), new FakeRing());
        }

        @Override
        public synchronized void start(FactSink sink, PoolRecords given) {
            own = sink;
            super.start(sink, given);
        }

        void report() {
            own.accept(new Fact.AllocationGone(new AllocationId("late"), 99));
        }
    }

    private void awaitOpening() throws InterruptedException {
        assertThat(next()).isEqualTo(new Fact.PoolUnavailable("the pool is being opened"));
    }

    private Fact next() throws InterruptedException {
        Fact fact = facts.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(fact).isNotNull();
        return fact;
    }

    @Test
    void nothing_is_opened_before_the_server_leads() {
        openings.add(() -> {
            throw new AssertionError("opened");
        });
        assertThat(pool.access(new AllocationId("any"))).isEmpty();
    }

    @Test
    void a_pool_that_is_not_open_reads_no_Secret_and_says_so() {
        assertThat(pool.secrets()).isPresent();
        assertThatThrownBy(() -> pool.secrets().orElseThrow().read(RIDES, LOGIN))
                .isInstanceOf(UnreadableSecretException.class)
                .hasMessageContaining("'app-login'")
                .hasMessageContaining("not open now")
                .hasMessageContaining("ringmaster machine list");
    }

    @Test
    void an_open_pool_reads_its_own_Secrets() throws Exception {
        openings.add(() -> new Reporting() {
            @Override
            public Optional<SecretReader> secrets() {
                return Optional.of((cluster, ref) -> new Secret("of " + cluster));
            }
        });
        pool.start(facts::add, records);
        assertThat(pool.secrets().orElseThrow().read(RIDES, LOGIN).reveal()).isEqualTo("of rides");
    }

    @Test
    void what_a_closed_pool_still_reports_is_dropped() throws InterruptedException {
        Reporting first = new Reporting();
        openings.add(() -> first);
        pool.start(facts::add, records);
        awaitOpening();
        assertThat(next()).isInstanceOf(Fact.PoolSeen.class);
        first.report();
        assertThat(next()).isInstanceOf(Fact.AllocationGone.class);
        pool.stop();
        first.report();
        assertThat(facts).isEmpty();
        Reporting second = new Reporting();
        openings.clear();
        openings.add(() -> second);
        pool.start(facts::add, records);
        first.report();
        awaitOpening();
        assertThat(next()).isInstanceOf(Fact.PoolSeen.class);
        assertThat(facts).isEmpty();
    }

    @Test
    void a_pool_that_cannot_be_opened_is_reported_with_the_reason_and_tried_again() throws InterruptedException {
        openings.add(() -> {
            throw new IllegalStateException("another server uses the directory");
        });
        openings.add(Reporting::new);
        pool.start(facts::add, records);
        awaitOpening();
        assertThat(next()).isEqualTo(new Fact.PoolUnavailable("another server uses the directory"));
        awaitOpening();
        assertThat(next()).isInstanceOf(Fact.PoolSeen.class);
    }
}
