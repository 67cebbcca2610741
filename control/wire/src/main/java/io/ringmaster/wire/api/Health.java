package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server can do its work.
 *
 * @param leaderUrl the base URL of the server that leads this datacenter, or null while none is known
 * @param poolSeen whether the pool has told its whole picture; nothing new begins before
 * @param tail the id of the newest event, to follow the stream from here
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
        /** Answers reads and hands changes on to the leader. */
        STANDBY,
        /** Knows no leader yet: changes are refused. */
        WAITING
    }
}
