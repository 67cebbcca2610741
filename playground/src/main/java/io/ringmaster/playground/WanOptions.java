package io.ringmaster.playground;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The wide area network that a playground runs on: a network namespace for each datacenter, with links between them.
 *
 * @param network the datacenters have the addresses {@code 10.<network>.<number>.0/24}
 * @param link as it was asked for
 */
public record WanOptions(int network, Link link) {
    /**
     * @param roundTripMicros that each packet and its answer take more
     * @param bitsPerSecond of each direction; null for no limit
     */
    public record Link(long roundTripMicros, @Nullable Long bitsPerSecond) {
        public static Link of(Duration roundTrip, @Nullable Long bitsPerSecond) {
            return new Link(roundTrip.toNanos() / 1_000, bitsPerSecond);
        }
    }
}
