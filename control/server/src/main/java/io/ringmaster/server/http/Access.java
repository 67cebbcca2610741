package io.ringmaster.server.http;

import io.javalin.security.RouteRole;

/** Who may call a route, and which server answers it. */
public enum Access implements RouteRole {
    /** Callers without a token; always answered by this server: health, metrics. */
    SELF,
    /** As {@link #READ}, but always answered by this server: events. */
    SELF_READ,
    /** Callers with the token itself, not a session; always answered by this server: login codes. */
    SELF_TOKEN,
    /** Callers without a token; answered by the leader, or by a standby when the leader does not answer: seeds. */
    OPEN,
    /** As {@link #OPEN}, but with the token or a session on a server that listens beyond loopback. */
    READ,
    /** Callers with the token or a session; answered only by the leader. */
    CHANGE,
    /** Callers with the token itself, not a session; answered only by the leader: other servers. */
    PEER
}
