package io.ringmaster.executor.state;

import io.ringmaster.model.node.NodeStatus;
import java.time.Duration;

/** The last status with its revision; a long poll waits for a revision newer than the one that it has seen. */
public final class StatusBoard {
    /** @param revision grows with each change; an executor starts at 1 */
    public record Posted(long revision, NodeStatus status) {}

    private Posted posted;

    public StatusBoard(NodeStatus first) {
        posted = new Posted(1, first);
    }

    public synchronized void post(NodeStatus status) {
        if (!status.equals(posted.status())) {
            posted = new Posted(posted.revision() + 1, status);
            notifyAll();
        }
    }

    public synchronized Posted read() {
        return posted;
    }

    /** Returns as soon as the revision differs from {@code seen}, or after {@code wait} with the old one. */
    public synchronized Posted readAfter(long seen, Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        while (posted.revision() == seen) {
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0) {
                break;
            }
            wait(leftMillis);
        }
        return posted;
    }
}
