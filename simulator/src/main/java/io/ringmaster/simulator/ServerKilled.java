package io.ringmaster.simulator;

/** {@code kill -9} in the middle of a call. An Error, so that no handler of exceptions survives it. */
final class ServerKilled extends Error {
    private static final long serialVersionUID = 1L;

    ServerKilled(String where) {
        super(where);
    }
}
