package io.ringmaster.server.login;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Sessions that a logout at this server has ended. Only in its memory: the other servers of the fleet accept them until
 * they expire.
 */
public final class EndedSessions {
    private final Set<LoginSession> ended = new HashSet<>();

    /** Keeps the session until it expires. */
    public synchronized void add(LoginSession session, Instant now) {
        ended.removeIf(s -> s.hasExpired(now));
        ended.add(session);
    }

    public synchronized boolean contains(LoginSession session) {
        return ended.contains(session);
    }
}
