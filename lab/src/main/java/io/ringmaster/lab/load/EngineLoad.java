package io.ringmaster.lab.load;

/**
 * A load of {@link EngineBench}; what it does not read it writes.
 *
 * @param read share of the requests in percent
 * @param rate requests per second
 * @param blocking 256 connections with one request each at a time, as of as many blocking clients
 */
public record EngineLoad(int read, int rate, boolean blocking) {
    public static EngineLoad of(int read, int rate) {
        return new EngineLoad(read, rate, false);
    }

    public EngineLoad inBlockingClients() {
        return new EngineLoad(read, rate, true);
    }

    /** The part of the keys of its figures: {@code 50}, {@code 50-blocking}. */
    public String key() {
        return read + (blocking ? "-blocking" : "");
    }

    /** As the benchmark wants it, without processes that compete for the processors. */
    String setting() {
        return read + "%:0:" + rate + (blocking ? ":blocking" : "");
    }

    /** The part of the names of its result files. */
    String file() {
        return setting().replace(':', '-');
    }
}
