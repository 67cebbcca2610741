package io.ringmaster.pool.base;

import java.util.List;

/** The JVM of an executor, on every platform. */
public final class ExecutorJvmOptions {
    /**
     * Keeps the executor, which is idle most of the time, below 80 MB resident. The JVM logs errors, but not an
     * archive that does not fit. Without memory any thread may be the one that fails: the process ends, and the pool
     * starts another one. The image of a node has the same options.
     */
    public static final List<String> ALL = List.of(
            "-Xms8m",
            "-Xmx40m",
            "-Xss256k",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:MaxMetaspaceSize=64m",
            "-XX:ReservedCodeCacheSize=24m",
            "-XX:-UsePerfData",
            "-Xlog:disable",
            "-Xlog:all=error:stderr");

    private ExecutorJvmOptions() {}
}
