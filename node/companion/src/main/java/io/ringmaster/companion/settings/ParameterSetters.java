package io.ringmaster.companion.settings;

import static java.lang.Math.max;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataRateSpec;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.service.CacheService;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.streaming.StreamManager.StreamRateLimiter;

/**
 * The setter of each live parameter in a running Cassandra 5.0; it reads the new value from a {@link Config}. The
 * model's {@code LiveParameters} holds the same names and decides which changes need a restart.
 */
final class ParameterSetters {
    /** Cassandra raises shorter timeouts to this value at its start. */
    private static final long MIN_TIMEOUT_MS = 10;

    static final Map<String, Consumer<Config>> ALL = new TreeMap<>();

    static {
        ALL.putAll(GuardrailSetters.ALL);
        timeouts();
        throughput();
        hints();
        sizes();
        others();
    }

    private ParameterSetters() {}

    private static void timeouts() {
        ALL.put("read_request_timeout", c -> StorageProxy.instance.setReadRpcTimeout(ms(c.read_request_timeout)));
        ALL.put("range_request_timeout", c -> StorageProxy.instance.setRangeRpcTimeout(ms(c.range_request_timeout)));
        ALL.put("write_request_timeout", c -> StorageProxy.instance.setWriteRpcTimeout(ms(c.write_request_timeout)));
        ALL.put(
                "counter_write_request_timeout",
                c -> StorageProxy.instance.setCounterWriteRpcTimeout(ms(c.counter_write_request_timeout)));
        ALL.put(
                "cas_contention_timeout",
                c -> StorageProxy.instance.setCasContentionTimeout(ms(c.cas_contention_timeout)));
        ALL.put(
                "truncate_request_timeout",
                c -> StorageProxy.instance.setTruncateRpcTimeout(ms(c.truncate_request_timeout)));
        ALL.put("request_timeout", c -> StorageProxy.instance.setRpcTimeout(ms(c.request_timeout)));
        ALL.put("repair_request_timeout", c -> DatabaseDescriptor.setRepairRpcTimeout(ms(c.repair_request_timeout)));
    }

    private static void throughput() {
        ALL.put("compaction_throughput", c -> {
            double rate = bytes(c.compaction_throughput);
            // Cassandra's own setter takes an int, which ends at 2 GiB/s
            DatabaseDescriptor.getRawConfig().compaction_throughput = c.compaction_throughput;
            CompactionManager.instance.setRateInBytes(rate);
        });
        ALL.put("stream_throughput_outbound", c -> {
            DatabaseDescriptor.setStreamThroughputOutboundBytesPerSec(bytes(c.stream_throughput_outbound));
            StreamRateLimiter.updateThroughput();
        });
        ALL.put("inter_dc_stream_throughput_outbound", c -> {
            DatabaseDescriptor.setInterDCStreamThroughputOutboundBytesPerSec(
                    bytes(c.inter_dc_stream_throughput_outbound));
            StreamRateLimiter.updateInterDCThroughput();
        });
        ALL.put(
                "entire_sstable_stream_throughput_outbound",
                c -> StorageService.instance.setEntireSSTableStreamThroughputMebibytesPerSec(
                        mebibytes(c.entire_sstable_stream_throughput_outbound)));
        ALL.put(
                "entire_sstable_inter_dc_stream_throughput_outbound",
                c -> StorageService.instance.setEntireSSTableInterDCStreamThroughputMebibytesPerSec(
                        mebibytes(c.entire_sstable_inter_dc_stream_throughput_outbound)));
        ALL.put("concurrent_compactors", c -> StorageService.instance.setConcurrentCompactors(c.concurrent_compactors));
        ALL.put(
                "concurrent_validations",
                c -> StorageService.instance.setConcurrentValidators(c.concurrent_validations));
        ALL.put(
                "concurrent_index_builders",
                c -> StorageService.instance.setConcurrentIndexBuilders(c.concurrent_index_builders));
        ALL.put(
                "concurrent_materialized_view_builders",
                c -> StorageService.instance.setConcurrentViewBuilders(c.concurrent_materialized_view_builders));
        ALL.put(
                "batchlog_replay_throttle",
                c -> StorageService.instance.setBatchlogReplayThrottleInKB(c.batchlog_replay_throttle.toKibibytes()));
        ALL.put(
                "snapshot_links_per_second",
                c -> StorageService.instance.setSnapshotLinksPerSecond(c.snapshot_links_per_second));
    }

    private static void hints() {
        ALL.put("hinted_handoff_enabled", c -> StorageProxy.instance.setHintedHandoffEnabled(c.hinted_handoff_enabled));
        ALL.put(
                "hinted_handoff_throttle",
                c -> StorageService.instance.setHintedHandoffThrottleInKB(c.hinted_handoff_throttle.toKibibytes()));
        ALL.put("max_hint_window", c -> StorageProxy.instance.setMaxHintWindow(c.max_hint_window.toMilliseconds()));
        ALL.put(
                "transfer_hints_on_decommission",
                c -> StorageService.instance.setTransferHintsOnDecommission(c.transfer_hints_on_decommission));
        ALL.put(
                "auto_hints_cleanup_enabled",
                c -> DatabaseDescriptor.setAutoHintsCleanupEnabled(c.auto_hints_cleanup_enabled));
    }

    private static void sizes() {
        ALL.put(
                "batch_size_warn_threshold",
                c -> StorageService.instance.setBatchSizeWarnThresholdInKiB(c.batch_size_warn_threshold.toKibibytes()));
        ALL.put(
                "batch_size_fail_threshold",
                c -> DatabaseDescriptor.setBatchSizeFailThresholdInKiB(c.batch_size_fail_threshold.toKibibytes()));
        ALL.put(
                "tombstone_warn_threshold",
                c -> StorageService.instance.setTombstoneWarnThreshold(c.tombstone_warn_threshold));
        ALL.put(
                "tombstone_failure_threshold",
                c -> StorageService.instance.setTombstoneFailureThreshold(c.tombstone_failure_threshold));
        ALL.put("column_index_size", c -> {
            if (c.column_index_size == null) {
                DatabaseDescriptor.getRawConfig().column_index_size = null;
            } else {
                StorageService.instance.setColumnIndexSizeInKiB(c.column_index_size.toKibibytes());
            }
        });
        ALL.put(
                "column_index_cache_size",
                c -> StorageService.instance.setColumnIndexCacheSizeInKiB(c.column_index_cache_size.toKibibytes()));
        // the cache service does not update the configuration, which system_views.settings shows
        ALL.put("key_cache_size", c -> {
            long mebibytes = c.key_cache_size == null
                    ? DatabaseDescriptor.getKeyCacheSizeInMiB()
                    : c.key_cache_size.toMebibytes();
            CacheService.instance.setKeyCacheCapacityInMB(mebibytes);
            DatabaseDescriptor.getRawConfig().key_cache_size = c.key_cache_size;
        });
        ALL.put("counter_cache_size", c -> {
            long mebibytes = c.counter_cache_size == null
                    ? DatabaseDescriptor.getCounterCacheSizeInMiB()
                    : c.counter_cache_size.toMebibytes();
            CacheService.instance.setCounterCacheCapacityInMB(mebibytes);
            DatabaseDescriptor.getRawConfig().counter_cache_size = c.counter_cache_size;
        });
    }

    private static void others() {
        ALL.put("auto_snapshot", c -> DatabaseDescriptor.setAutoSnapshot(c.auto_snapshot));
        ALL.put(
                "incremental_backups",
                c -> StorageService.instance.setIncrementalBackupsEnabled(c.incremental_backups));
        ALL.put("phi_convict_threshold", c -> {
            if (c.phi_convict_threshold < 5 || c.phi_convict_threshold > 16) {
                throw new IllegalArgumentException("phi_convict_threshold must be between 5 and 16");
            }
            DatabaseDescriptor.setPhiConvictThreshold(c.phi_convict_threshold);
        });
        ALL.put(
                "native_transport_max_concurrent_connections",
                c -> StorageProxy.instance.setNativeTransportMaxConcurrentConnections(
                        c.native_transport_max_concurrent_connections));
        ALL.put(
                "native_transport_max_concurrent_connections_per_ip",
                c -> StorageProxy.instance.setNativeTransportMaxConcurrentConnectionsPerIp(
                        c.native_transport_max_concurrent_connections_per_ip));
        snitch(
                "dynamic_snitch_update_interval",
                c -> DatabaseDescriptor.setDynamicUpdateInterval(c.dynamic_snitch_update_interval.toMilliseconds()));
        snitch(
                "dynamic_snitch_reset_interval",
                c -> DatabaseDescriptor.setDynamicResetInterval(c.dynamic_snitch_reset_interval.toMilliseconds()));
        snitch(
                "dynamic_snitch_badness_threshold",
                c -> DatabaseDescriptor.setDynamicBadnessThreshold(c.dynamic_snitch_badness_threshold));
    }

    private static void snitch(String name, Consumer<Config> store) {
        ALL.put(name, store.andThen(c -> {
            if (DatabaseDescriptor.getEndpointSnitch() instanceof DynamicEndpointSnitch dynamic) {
                dynamic.applyConfigChanges();
            }
        }));
    }

    private static long ms(DurationSpec.LongMillisecondsBound timeout) {
        return max(MIN_TIMEOUT_MS, timeout.toMilliseconds());
    }

    /** Refuses the rates that Cassandra refuses at its start. */
    private static long bytes(DataRateSpec.LongBytesPerSecondBound rate) {
        if (rate.toMegabitsPerSecond() >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    rate + " is too high: it must be less than " + Integer.MAX_VALUE + " Mbit/s");
        }
        return (long) rate.toBytesPerSecond();
    }

    private static int mebibytes(DataRateSpec.LongBytesPerSecondBound rate) {
        if (bytes(rate) % (1 << 20) != 0) {
            throw new IllegalArgumentException(
                    rate + " is not a whole number of MiB/s: only those can be set without a restart");
        }
        return rate.toMebibytesPerSecondAsInt();
    }
}
