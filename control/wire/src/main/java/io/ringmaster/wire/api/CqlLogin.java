package io.ringmaster.wire.api;

import java.time.Instant;

/**
 * A login to the CQL port of a cluster.
 *
 * @param ends when Cassandra forgets it
 */
public record CqlLogin(String user, String password, Instant ends) {
    /** Without the password, which must not reach a log. */
    @Override
    public String toString() {
        return "login " + user;
    }
}
