package io.ringmaster.server.http;

import io.javalin.security.RouteRole;

/** Who may call a route, and which server answers it. */
public enum Access implements RouteRole {
    /** Callers without a token; always answered by this server: health, metrics. */
    SELF,
    /** As {@link #READ}, but always answered by this server: events. */
    SELF_READ,
    /** Callers without a token; answered by the leader, or by a standby when the leader does not answer: seeds. */
    OPEN,
    /** As {@link #OPEN}, but with the token on a server that listens beyond loopback. */
    READ,
    /** Callers with the token; answered only by the leader. */
    CHANGE
}
