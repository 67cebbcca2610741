package io.ringmaster.engine.store;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.cassandra.config.DataRateSpec;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a memtable configuration in cassandra.yaml, in Cassandra's own units ({@code 512MiB}, {@code 64MiB/s}).
 *
 * @param directory where RocksDB keeps its files; by default {@code rocksdb} beside the first data directory
 * @param blockCacheBytes uncompressed blocks, index and filter; write buffers are counted against it
 * @param writeBufferBytes the most that a table collects in memory before it is written to a file
 * @param writeBuffersBytes the most that all tables together collect in memory
 * @param blockBytes the unit of reading
 * @param compactionBytesPerSecond flushes and compactions together; 0 for no limit
 * @param backgroundJobs threads that flush and compact
 * @param compression of blocks
 * @param purgeDelaySeconds how long tombstones are kept beyond {@code gc_grace_seconds}, so that whatever they shadow has met them
 * @param isDirect whether compactions bypass the page cache
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

    /** Which log a write is in when it is acknowledged. */
    public enum Durability {
        /** Cassandra's, as {@code commitlog_sync} says; RocksDB writes none. */
        COMMIT_LOG,
        /** RocksDB's own, synced as {@code commitlog_sync} says; change data capture and point-in-time restore do not see these writes. */
        WAL
    }

    /** How blocks are compressed. */
    public enum Compression {
        NONE,
        LZ4,
        ZSTD
    }

    /**
     * Takes its own parameters out of the map, so that Cassandra refuses what is left.
     *
     * @throws ConfigurationException names the parameter that cannot be read
     */
    public static EngineSettings take(Map<String, String> parameters) {
        return new EngineSettings(
                take(parameters, "directory", null, Path::of),
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

    /** How often all of a table is looked at for what compactions cannot see, at most. */
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

    private static <T extends @Nullable Object> T take(
            Map<String, String> parameters, String name, T otherwise, Function<String, T> read) {
        String text = parameters.remove(name);
        if (text == null) {
            return otherwise;
        }
        try {
            return read.apply(text);
        } catch (IllegalArgumentException | ConfigurationException e) {
            throw new ConfigurationException(
                    "memtable parameter '" + name + "' of the RocksDB engine cannot be '" + text + "': "
                            + e.getMessage(),
                    e);
        }
    }
}
