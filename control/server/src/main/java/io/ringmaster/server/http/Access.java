package io.ringmaster.server.http;

import io.javalin.security.RouteRole;

/** Who may call a route, and who answers it when this server does not lead. */
public enum Access implements RouteRole {
    /** Everybody; always answered here: health, metrics. */
    SELF,
    /** As {@link #READ}, but always answered here: events. */
    SELF_READ,
    /** Everybody; the leader knows best, a standby answers when it must: what nodes ask. */
    OPEN,
    /** As {@link #OPEN}, but beyond loopback only with the token. */
    READ,
    /** With the token; the leader alone answers. */
    CHANGE
}
