package io.ringmaster.playground;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The wide area network of a playground: a network namespace for each datacenter, with links between them.
 *
 * @param network N of the datacenters' addresses {@code 10.<N>.<number>.0/24}
 * @param link requested setting of each link
 */
public record WanOptions(int network, Link link) {
    /**
     * @param roundTripMicros added to the way of each packet and its answer
     * @param bitsPerSecond bandwidth of each direction; null for no limit
     */
    public record Link(long roundTripMicros, @Nullable Long bitsPerSecond) {
        public static Link of(Duration roundTrip, @Nullable Long bitsPerSecond) {
            return new Link(roundTrip.toNanos() / 1_000, bitsPerSecond);
        }
    }
}
