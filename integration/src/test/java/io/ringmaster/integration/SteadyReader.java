package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends one statement after another beside a test, and keeps count: what a service sees while something happens to its
 * cluster.
 */
final class SteadyReader implements AutoCloseable {
    /**
     * A request that takes longer has failed. A service waits 2 to 5 s, on processors of its own; here ten processes
     * share one. Cassandra's own timeout of a write, 2 s, is too short for that: it is sent again while there is time.
     */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);
    private static final int NONE = -1;

    private final CqlSession session;
    private final Requests requests;
    private final Duration pause;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger last = new AtomicInteger(NONE);
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean running = true;
    /** Held while others look at what it has done; it holds this itself while a request is under way. */
    private final ReentrantLock turn = new ReentrantLock(true);

    SteadyReader(CqlSession session, SimpleStatement statement) {
        this(session, number -> statement);
    }

    /**
     * Its reads must return a row each, because every row that they ask for was acknowledged before.
     *
     * @param statements by number, from 0
     */
    SteadyReader(CqlSession session, IntFunction<SimpleStatement> statements) {
        this(session, Requests.of(statements), PAUSE);
    }

    /** @param pause between two requests */
    SteadyReader(CqlSession session, Requests requests, Duration pause) {
        this.session = session;
        this.requests = requests;
        this.pause = pause;
        this.thread = new Thread(this::loop, "steady-reader");
        thread.setDaemon(true);
        thread.start();
    }

    private void loop() {
        turn.lock();
        try {
            work();
        } finally {
            turn.unlock();
        }
    }

    private void work() {
        for (int number = 0; running; number++) {
            rest();
            try {
                SimpleStatement statement = requests.next(number);
                judge(number, statement, patient(statement));
                last.set(number);
                Thread.sleep(pause.toMillis());
            } catch (DriverException e) {
                // a node by its address alone, so that the reason is on the first screen
                failed(e.toString().replaceAll("Node\\(endPoint=([^,]*),[^)]*\\)", "$1"));
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                failed("the steady reader itself: " + e);
                throw e;
            }
        }
    }

    /** Lets those go first who hold it. */
    private void rest() {
        turn.unlock();
        turn.lock();
    }

    /** Sends nothing until {@link #goOn}; what was under way is over then. */
    void hold() {
        turn.lock();
    }

    void goOn() {
        turn.unlock();
    }

    /**
     * Sends late requests again, and those that the driver does not repeat because they are not idempotent: refused by
     * a stopping node, or cut off with their connection. What was refused for another reason or found too few replicas
     * is not sent again.
     */
    private ResultSet patient(SimpleStatement statement) {
        long end = System.nanoTime() + requests.patience().toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(end - System.nanoTime(), LEAST_TIMEOUT.toNanos()));
            try {
                return session.execute(statement.setTimeout(left));
            } catch (WriteTimeoutException
                    | ReadTimeoutException
                    | CASWriteUnknownException
                    | ClosedConnectionException
                    | OverloadedException e) {
                if (System.nanoTime() > end || !(isStopping(e) || isUnknown(e))) {
                    throw e;
                }
                if (isUnknown(e)) {
                    requests.repeated();
                }
            }
        }
    }

    private static boolean isUnknown(DriverException e) {
        return !(e instanceof OverloadedException);
    }

    /** Nothing was carried out: see {@code org.apache.cassandra.transport.Dispatcher}. */
    private static boolean isStopping(DriverException e) {
        return String.valueOf(e.getMessage()).contains("Server is shutting down");
    }

    private void judge(int number, SimpleStatement statement, ResultSet answer) {
        String wrong = requests.judge(number, answer);
        if (wrong == null) {
            answered.incrementAndGet();
        } else {
            failed(wrong + ": " + statement.getQuery());
        }
    }

    private void failed(String why) {
        failed.incrementAndGet();
        firstFailure.compareAndSet(null, why);
    }

    int answered() {
        return answered.get();
    }

    int failed() {
        return failed.get();
    }

    /** The number of the last statement that was answered; -1 before the first. */
    int last() {
        return last.get();
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
            thread.join(requests.patience().toMillis() + 5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
