package io.ringmaster.companion;

/**
 * Whether this Cassandra was started with CQL closed, and the executor has not opened it since. The process itself
 * knows this best: the executor may be replaced by another version while Cassandra runs.
 */
final class ClosedCql {
    /** Cassandra's property; {@code false} keeps CQL closed at the start, and only Ringmaster may set it. */
    static final String START_PROPERTY = "cassandra.start_native_transport";

    private volatile boolean awaitsClients = "false".equalsIgnoreCase(System.getProperty(START_PROPERTY));

    boolean awaitsClients() {
        return awaitsClients;
    }

    /**
     * Opens CQL. Only a success counts, and it counts once: an operator may close CQL afterwards.
     *
     * @param start opens CQL, or throws
     */
    void open(Runnable start) {
        start.run();
        awaitsClients = false;
    }
}
