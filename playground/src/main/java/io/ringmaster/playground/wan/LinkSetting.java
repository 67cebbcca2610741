package io.ringmaster.playground.wan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * How the link between two datacenters shall behave, the same in both directions.
 *
 * @param up false drops every packet, also those under way
 * @param roundTripMicros half of it is added to each packet
 * @param bitsPerSecond of each direction; null for no limit
 */
public record LinkSetting(String a, String b, boolean up, long roundTripMicros, @Nullable Long bitsPerSecond) {
    /** A quarter of a millisecond: half of what a round trip over an idle link took too long. */
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

    /** Whether it is the one between these two, in whatever order. */
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

    /** What a packet has to wait, less what it takes a computer to hand it on through here. */
    @JsonIgnore
    long oneWayNanos() {
        return Math.max(0, roundTripMicros * 1_000 / 2 - HANDING_ON_NANOS);
    }
}
