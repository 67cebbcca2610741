package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends one statement after another beside a test, and keeps count: what a service sees while something happens to its
 * cluster.
 */
final class SteadyReader implements AutoCloseable {
    private final CqlSession session;
    private final IntFunction<SimpleStatement> statements;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean running = true;

    SteadyReader(CqlSession session, SimpleStatement statement) {
        this(session, number -> statement);
    }

    /** @param statements by number, from 0 */
    SteadyReader(CqlSession session, IntFunction<SimpleStatement> statements) {
        this.session = session;
        this.statements = statements;
        this.thread = new Thread(this::loop, "steady-reader");
        thread.setDaemon(true);
        thread.start();
    }

    private void loop() {
        for (int number = 0; running; number++) {
            try {
                session.execute(statements.apply(number));
                answered.incrementAndGet();
                Thread.sleep(10);
            } catch (DriverException e) {
                failed.incrementAndGet();
                firstFailure.compareAndSet(null, e.toString());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    int answered() {
        return answered.get();
    }

    int failed() {
        return failed.get();
    }

    @Nullable
    String firstFailure() {
        return firstFailure.get();
    }

    /** Some were answered, and none failed. */
    void assertServed() {
        assertThat(answered()).as("requests answered meanwhile").isPositive();
        assertThat(failed())
                .as("requests failed meanwhile, the first: " + firstFailure())
                .isZero();
    }

    @Override
    public void close() {
        running = false;
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
