package io.ringmaster.executor;

import io.ringmaster.model.node.NodeStatus;
import java.time.Duration;

/** The last status, numbered: who has seen revision n waits for a higher one. */
public final class StatusBoard {
    /** @param revision grows with each change; starts anew with each executor */
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

    /** At once when there is another revision than {@code seen}; else when there is one, or after {@code wait}. */
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
