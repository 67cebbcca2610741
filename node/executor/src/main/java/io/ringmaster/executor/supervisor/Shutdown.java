package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.log.Log;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.node.OperatingMode;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Stops a running daemon: usually drains it, then sends TERM, and KILL after {@link #TERM_TIMEOUT}. It returns when the
 * daemon has ended, and reports meanwhile what it waits for.
 */
final class Shutdown {
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration TERM_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);
    private static final long POLL_MS = 20;

    private final CompanionClient companion;
    private final BiConsumer<OperatingMode, String> progress;

    /** @param progress receives the mode and activity, at least once in {@link #DRAIN_TIMEOUT} */
    Shutdown(CompanionClient companion, BiConsumer<OperatingMode, String> progress) {
        this.companion = companion;
        this.progress = progress;
    }

    /** @throws IOException the thread was interrupted */
    void end(Daemon running, String reason) throws IOException {
        Log.info(reason + ": draining the daemon " + running.pid());
        progress.accept(OperatingMode.DRAINING, reason + ": draining");
        Optional<String> failure = drain(running);
        failure.ifPresent(why -> Log.info("could not drain the daemon " + running.pid() + ", terminating it: " + why));
        progress.accept(
                failure.isPresent() ? OperatingMode.DRAINING : OperatingMode.DRAINED,
                reason + ": ending the process"
                        + failure.map(why -> ", which was not drained: " + why).orElse(""));
        running.terminate();
        if (endsWithin(TERM_TIMEOUT, running)) {
            return;
        }
        Log.info("the daemon " + running.pid() + " did not end within " + TERM_TIMEOUT.toSeconds()
                + " s of SIGTERM: killing it");
        killAndWait(running);
    }

    /** @return why it could not be drained */
    private Optional<String> drain(Daemon running) {
        try {
            CompanionClient.Answer answer = companion.call(running.pid(), "POST /drain", new byte[0], DRAIN_TIMEOUT);
            return answer.status() == CompanionClient.OK ? Optional.empty() : Optional.of(answer.error());
        } catch (IOException e) {
            return Optional.of(ThrowableText.of(e));
        }
    }

    /**
     * Kills the daemon at once.
     *
     * @throws IOException the thread was interrupted
     */
    void kill(Daemon running, String reason) throws IOException {
        Log.info(reason + ": killing the daemon " + running.pid());
        progress.accept(OperatingMode.DRAINED, reason + ": ending the process");
        killAndWait(running);
    }

    /** The kernel ends a process that waits for a disk, or frees a large memory, when it can: nobody can hurry it. */
    private void killAndWait(Daemon running) throws IOException {
        running.kill();
        while (!endsWithin(KILL_TIMEOUT, running)) {
            progress.accept(
                    OperatingMode.UNKNOWN,
                    "the process " + running.pid() + " was killed, and the kernel has not ended it yet");
        }
    }

    private static boolean endsWithin(Duration timeout, Daemon running) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (running.isAlive()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            try {
                Thread.sleep(POLL_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while stopping the daemon", e);
            }
        }
        return true;
    }
}
