package io.ringmaster.playground.wan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * Setting of the link between two datacenters, the same in both directions.
 *
 * @param up whether packets pass; false drops all packets, including those in flight
 * @param roundTripMicros round trip; each packet is delayed by half of it
 * @param bitsPerSecond bandwidth of each direction; null for no limit
 */
public record LinkSetting(String a, String b, boolean up, long roundTripMicros, @Nullable Long bitsPerSecond) {
    /** A quarter of a millisecond: half of the excess of a measured round trip over an idle link. */
    private static final long HANDING_ON_NANOS = 250_000;

    public LinkSetting {
        if (a.equals(b)) {
            throw new IllegalArgumentException("a link joins two datacenters, not '" + a + "' with itself");
        }
        if (roundTripMicros < 0) {
            throw new IllegalArgumentException("roundTripMicros " + roundTripMicros + " must not be negative");
        }
        if (bitsPerSecond != null && bitsPerSecond <= 0) {
            throw new IllegalArgumentException("bitsPerSecond " + bitsPerSecond + " must be more than 0");
        }
    }

    /** Whether it joins these two datacenters, in any order. */
    public boolean joins(String one, String other) {
        return (a.equals(one) && b.equals(other)) || (a.equals(other) && b.equals(one));
    }

    public LinkSetting withUp(boolean newUp) {
        return new LinkSetting(a, b, newUp, roundTripMicros, bitsPerSecond);
    }

    public LinkSetting withRoundTripMicros(long micros) {
        return new LinkSetting(a, b, up, micros, bitsPerSecond);
    }

    public LinkSetting withBitsPerSecond(@Nullable Long newBitsPerSecond) {
        return new LinkSetting(a, b, up, roundTripMicros, newBitsPerSecond);
    }

    /** Delay of a packet, less the time that forwarding takes anyway. */
    @JsonIgnore
    long oneWayNanos() {
        return Math.max(0, roundTripMicros * 1_000 / 2 - HANDING_ON_NANOS);
    }
}
