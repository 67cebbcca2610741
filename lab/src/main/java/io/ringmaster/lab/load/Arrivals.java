package io.ringmaster.lab.load;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * When the requests of a run start.
 *
 * @param length of the load, with its warm-up
 */
public record Arrivals(Duration length, List<String> options) {
    public Arrivals {
        options = List.copyOf(options);
    }

    /** Evenly spaced. */
    public static Arrivals rate(double perSecond, Duration duration) {
        return new Arrivals(duration, List.of("--rate", Load.rate(perSecond), "--duration", Load.time(duration)));
    }

    /** Load before it that is not recorded. */
    public Arrivals warmup(Duration warmup) {
        return with(length.plus(warmup), "--warmup", Load.time(warmup));
    }

    /** For several generators that start together. */
    public Arrivals startAt(Instant start) {
        return with(length, "--start-at", start.toString());
    }

    private Arrivals with(Duration newLength, String... more) {
        return new Arrivals(
                newLength, Stream.concat(options.stream(), Stream.of(more)).toList());
    }
}
