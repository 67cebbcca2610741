package io.ringmaster.simulator.datacenter;

/** {@code kill -9} during a call. An Error, so that no handler of exceptions survives it. */
final class ServerKilled extends Error {
    private static final long serialVersionUID = 1L;

    ServerKilled(String where) {
        super(where);
    }
}
