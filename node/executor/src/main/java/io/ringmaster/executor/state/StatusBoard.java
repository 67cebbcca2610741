package io.ringmaster.executor.state;

import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import java.time.Duration;

/**
 * What the API reads of the supervisor: the last status with its revision, and what the probes of a container ask. A
 * long poll waits for a revision newer than the one that it has seen.
 */
public final class StatusBoard {
    /** @param revision grows with each change; an executor starts at 1 */
    public record Posted(long revision, NodeStatus status) {}

    private final Pulse pulse;
    private Posted posted;
    private boolean ready;
    private boolean closed;

    public StatusBoard(NodeStatus first) {
        this(first, new Pulse());
    }

    public StatusBoard(NodeStatus first, Pulse pulse) {
        this.posted = new Posted(1, first);
        this.pulse = pulse;
    }

    /** Posts the status of a node that does not serve. */
    public void post(NodeStatus status) {
        post(status, false);
    }

    /** @param serves whether the clients that the node should have can connect, if its mode is NORMAL */
    public synchronized void post(NodeStatus status, boolean serves) {
        ready = serves && status.mode() == OperatingMode.NORMAL && !closed;
        publish(status);
    }

    /**
     * Posts the status of a node that has not said anything new. It stays ready if it was: one slow answer must not
     * take a node that serves out of a load balancer.
     */
    public synchronized void postUnanswered(NodeStatus status) {
        publish(status);
    }

    private void publish(NodeStatus status) {
        if (!status.equals(posted.status())) {
            posted = new Posted(posted.revision() + 1, status);
            notifyAll();
        }
    }

    public synchronized Posted read() {
        return posted;
    }

    /** Whether the node serves; not part of the status, because the servers decide by the status alone. */
    public synchronized boolean ready() {
        return ready;
    }

    /** The executor ends: the node is never ready again. */
    public synchronized void close() {
        closed = true;
        ready = false;
    }

    public Pulse pulse() {
        return pulse;
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
