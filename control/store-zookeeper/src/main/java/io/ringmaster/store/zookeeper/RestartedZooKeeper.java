package io.ringmaster.store.zookeeper;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts ZooKeeper again, at the same port and in the same directory, where it has ended after a failed write. On a
 * full disk it waits for room: a ZooKeeper without room ends at its next write. Clients keep their sessions.
 */
final class RestartedZooKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RestartedZooKeeper.class);
    /** Some growth of its log, and a snapshot. */
    static final long ROOM_BYTES = 8L << 20;

    private static final long MIB = 1 << 20;
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration PAUSE_LONGEST = Duration.ofSeconds(30);
    /** A run that was shorter counts as a start that failed. */
    private static final Duration STEADY = Duration.ofMinutes(1);

    private final Path directory;
    private final int port;
    private final Thread thread;
    private ZooKeeperRun run;
    private long startedNanos = System.nanoTime();
    private long notBeforeNanos;
    private Duration pause = PAUSE_FIRST;
    private boolean closed;
    private volatile @Nullable Problem trouble;
    /** Why it does not run, of the end or of the last try to start it. */
    private String failure = "";

    RestartedZooKeeper(Path directory, ZooKeeperRun run) {
        this.directory = directory;
        this.run = run;
        port = run.port();
        thread = new Thread(this::watch, "zookeeper-watch");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return port;
    }

    Optional<Problem> trouble() {
        return Optional.ofNullable(trouble);
    }

    private void watch() {
        while (looks()) {
            try {
                TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Whatever is thrown, as by a machine without room for a thread: it looks again. */
    private boolean looks() {
        try {
            return look();
        } catch (Throwable e) {
            LOG.error("Cannot look after ZooKeeper in {}", directory, e);
            return true;
        }
    }

    /** @return whether to look again */
    private synchronized boolean look() {
        if (closed || run.isRunning()) {
            return !closed;
        }
        if (trouble == null) {
            failure = run.failure().orElse("it ended");
            LOG.warn("ZooKeeper in {} has stopped: {}", directory, failure);
            end();
            boolean wasSteady = System.nanoTime() - startedNanos > STEADY.toNanos();
            pause = wasSteady ? PAUSE_FIRST : longer();
            notBeforeNanos = System.nanoTime() + pause.toNanos();
        }
        Optional<Problem> full = noRoom();
        trouble = full.orElse(stopped(failure));
        if (full.isEmpty() && System.nanoTime() - notBeforeNanos >= 0) {
            startAgain();
        }
        return true;
    }

    private void end() {
        try {
            run.close();
        } catch (RuntimeException e) {
            // it has ended anyway; what it holds would only be missed by the next start, which says so
            LOG.warn("ZooKeeper in {} did not end in order: {}", directory, ThrowableText.of(e));
        }
    }

    private void startAgain() {
        try {
            run = ZooKeeperRun.start(directory, port);
            startedNanos = System.nanoTime();
            trouble = null;
            LOG.info("ZooKeeper in {} runs again", directory);
        } catch (IOException | RuntimeException e) {
            String why = ThrowableText.of(e);
            if (!why.equals(failure)) {
                LOG.warn("ZooKeeper in {} does not start again: {}", directory, why);
            }
            failure = why;
            trouble = stopped(why);
            pause = longer();
            notBeforeNanos = System.nanoTime() + pause.toNanos();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration longer() {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(PAUSE_LONGEST) < 0 ? doubled : PAUSE_LONGEST;
    }

    private Optional<Problem> noRoom() {
        try {
            long free = Files.getFileStore(directory).getUsableSpace();
            return free >= ROOM_BYTES
                    ? Optional.empty()
                    : Optional.of(Problem.of(
                            ErrorCode.STORE_UNAVAILABLE,
                            "no room at " + directory + ": " + free / MIB + " MiB are free, and the server's ZooKeeper"
                                    + " needs " + ROOM_BYTES / MIB + " MiB",
                            "make room there; the server continues automatically"));
        } catch (IOException e) {
            return Optional.of(stopped(ThrowableText.of(e)));
        }
    }

    private Problem stopped(String why) {
        return Problem.of(
                ErrorCode.STORE_UNAVAILABLE,
                "the server's ZooKeeper in " + directory + " has stopped: " + why,
                "the server tries to start it again every " + PAUSE_LONGEST.toSeconds()
                        + " s or sooner; if this lasts, read the server's log");
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        thread.interrupt();
        // one that has failed is closed already
        if (trouble == null) {
            run.close();
        }
    }
}
