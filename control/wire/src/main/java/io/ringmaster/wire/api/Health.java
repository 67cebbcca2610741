package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The health of a server.
 *
 * @param leaderUrl the base URL of the server that leads this datacenter, or null while none is known
 * @param poolSeen whether the pool has reported all its allocations; no new work starts before
 * @param tail the id of the newest event, to follow the stream after it
 */
public record Health(
        DatacenterName datacenter,
        State state,
        @Nullable String leaderUrl,
        boolean poolSeen,
        String version,
        Instant startedAt,
        String tail) {

    public enum State {
        /** Decides for its datacenter. */
        LEADING,
        /** Answers reads and forwards changes to the leader. */
        STANDBY,
        /** Knows no leader yet and refuses changes. */
        WAITING
    }
}
