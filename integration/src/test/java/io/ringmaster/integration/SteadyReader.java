package io.ringmaster.integration;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs one statement over and over beside a test, and keeps count: what a service sees while something happens to its cluster. */
final class SteadyReader implements AutoCloseable {
    private final CqlSession session;
    private final SimpleStatement statement;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean running = true;

    SteadyReader(CqlSession session, SimpleStatement statement) {
        this.session = session;
        this.statement = statement;
        this.thread = new Thread(this::loop, "steady-reader");
        thread.setDaemon(true);
        thread.start();
    }

    private void loop() {
        while (running) {
            try {
                session.execute(statement);
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
