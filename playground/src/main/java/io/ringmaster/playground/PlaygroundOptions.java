package io.ringmaster.playground;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a playground is run.
 *
 * @param detach ends when the cluster is up and leaves it running
 * @param keepData leaves the volumes when it is stopped
 * @param keepOnFailure leaves everything as it is when the start fails, to look at
 * @param timeout for the cluster to be up
 * @param engine a storage engine to install besides Cassandra's own, or null
 * @param wan how datacenters are linked; null leaves them all on loopback
 */
public record PlaygroundOptions(
        boolean detach,
        boolean keepData,
        boolean keepOnFailure,
        Duration timeout,
        @Nullable Engine engine,
        WanOptions.@Nullable Link wan) {
    PlaygroundOptions keeping(WanOptions.@Nullable Link keptWan) {
        return new PlaygroundOptions(detach, true, keepOnFailure, timeout, engine, wan == null ? keptWan : wan);
    }

    /** Storage engines, by the name that the field {@code engine} of a spec has for them. */
    public enum Engine {
        ROCKSDB
    }
}
