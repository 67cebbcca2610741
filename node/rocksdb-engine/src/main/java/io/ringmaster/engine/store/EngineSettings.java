package io.ringmaster.engine.store;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.cassandra.config.DataRateSpec;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a memtable configuration in cassandra.yaml, in Cassandra's units
 * ({@code 512MiB}, {@code 64MiB/s}).
 *
 * @param directory of RocksDB's files; null for {@code rocksdb} beside the first data directory
 * @param durability the log that holds acknowledged writes
 * @param blockCacheBytes capacity for uncompressed blocks, indexes and filters; write buffers count against it
 * @param writeBufferBytes the size at which the write buffer of one table is flushed to a file
 * @param writeBuffersBytes the limit for the write buffers of all tables
 * @param blockBytes the size of a block, the unit of reads
 * @param compactionBytesPerSecond the limit for flushes and compactions together; 0 for none
 * @param backgroundJobs the number of threads for flushes and compactions
 * @param compression the codec of blocks
 * @param purgeDelaySeconds the time that tombstones are kept beyond {@code gc_grace_seconds}, for shadowed data on
 *     their way into RocksDB; also the time between two tombstone sweeps
 * @param isDirect whether flushes and compactions bypass the page cache
 */
public record EngineSettings(
        @Nullable Path directory,
        Durability durability,
        long blockCacheBytes,
        long writeBufferBytes,
        long writeBuffersBytes,
        long blockBytes,
        long compactionBytesPerSecond,
        int backgroundJobs,
        Compression compression,
        long purgeDelaySeconds,
        boolean isDirect) {

    private static final long SECONDS_PER_HOUR = 3600;
    private static final long SECONDS_PER_DAY = 86_400;

    /** The log that holds a write when it is acknowledged. */
    public enum Durability {
        /** Cassandra's commit log, synced as {@code commitlog_sync} says; RocksDB writes no log. */
        COMMIT_LOG,
        /**
         * RocksDB's write-ahead log, synced as {@code commitlog_sync} says. Change data capture and point-in-time
         * restore do not see these writes.
         */
        WAL
    }

    /** The codec of blocks. */
    public enum Compression {
        NONE,
        LZ4,
        ZSTD
    }

    /**
     * Reads the known parameters and removes them from the map. Cassandra rejects the remaining ones.
     *
     * @throws ConfigurationException a value is invalid; the message names the parameter
     */
    public static EngineSettings take(Map<String, String> parameters) {
        return new EngineSettings(
                optional(parameters, "directory", Path::of).orElse(null),
                take(parameters, "durability", Durability.COMMIT_LOG, text -> constant(Durability.class, text)),
                size(parameters, "block_cache", "256MiB"),
                size(parameters, "write_buffer", "32MiB"),
                size(parameters, "write_buffers", "128MiB"),
                size(parameters, "block_size", "4KiB"),
                rate(parameters, "compaction_throughput", "64MiB/s"),
                take(parameters, "background_jobs", 4, EngineSettings::positive),
                take(parameters, "compression", Compression.LZ4, text -> constant(Compression.class, text)),
                take(parameters, "purge_delay", SECONDS_PER_DAY, text -> new DurationSpec.LongSecondsBound(text)
                        .toSeconds()),
                take(parameters, "direct_io", false, EngineSettings::bool));
    }

    /** The minimum time between two passes over a table (tombstone sweep, purge). */
    long sweepSeconds() {
        return Math.max(SECONDS_PER_HOUR, purgeDelaySeconds);
    }

    EngineSettings withDurability(Durability other) {
        return new EngineSettings(
                directory,
                other,
                blockCacheBytes,
                writeBufferBytes,
                writeBuffersBytes,
                blockBytes,
                compactionBytesPerSecond,
                backgroundJobs,
                compression,
                purgeDelaySeconds,
                isDirect);
    }

    private static long size(Map<String, String> parameters, String name, String otherwise) {
        Function<String, Long> read = text -> {
            long bytes = new DataStorageSpec.LongBytesBound(text).toBytes();
            if (bytes == 0) {
                throw new IllegalArgumentException("must not be 0");
            }
            return bytes;
        };
        return take(parameters, name, read.apply(otherwise), read);
    }

    private static long rate(Map<String, String> parameters, String name, String otherwise) {
        Function<String, Long> read = text -> (long) new DataRateSpec.LongBytesPerSecondBound(text).toBytesPerSecond();
        return take(parameters, name, read.apply(otherwise), read);
    }

    private static int positive(String text) {
        int number = Integer.parseInt(text);
        if (number < 1) {
            throw new IllegalArgumentException("must be at least 1");
        }
        return number;
    }

    private static boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false");
        };
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be one of "
                        + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT)));
    }

    private static <T> T take(Map<String, String> parameters, String name, T otherwise, Function<String, T> read) {
        return optional(parameters, name, read).orElse(otherwise);
    }

    private static <T> Optional<T> optional(Map<String, String> parameters, String name, Function<String, T> read) {
        String text = parameters.remove(name);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(read.apply(text));
        } catch (IllegalArgumentException | ConfigurationException e) {
            throw new ConfigurationException(
                    "invalid value '" + text + "' of memtable parameter '" + name + "' of the RocksDB engine: "
                            + e.getMessage(),
                    e);
        }
    }
}
