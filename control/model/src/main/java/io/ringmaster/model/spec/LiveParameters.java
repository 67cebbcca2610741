package io.ringmaster.model.spec;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The parameters of cassandra.yaml that a running Cassandra 5.0 applies through its own code, so that a change needs no
 * restart. The companion's {@code ParameterSetters} has the setter of each.
 *
 * <p>Left out are parameters that Cassandra reads only once or cannot apply in every state:
 * {@code slow_query_log_timeout} has no setter, {@code row_cache_size} has none that turns the cache on.
 */
public final class LiveParameters {
    /** Cassandra computes the defaults of these from the machine, the heap or the format of its files. */
    private static final Set<String> WITHOUT_KNOWN_DEFAULT = Set.of(
            "column_index_size",
            "concurrent_compactors",
            "concurrent_validations",
            "counter_cache_size",
            "key_cache_size",
            "collection_size_warn_threshold",
            "collection_size_fail_threshold",
            "column_value_size_warn_threshold",
            "column_value_size_fail_threshold",
            "partition_size_warn_threshold",
            "partition_size_fail_threshold");

    private static final Set<String> WITH_KNOWN_DEFAULT = Set.of(
            "auto_hints_cleanup_enabled",
            "auto_snapshot",
            "batch_size_fail_threshold",
            "batch_size_warn_threshold",
            "batchlog_replay_throttle",
            "cas_contention_timeout",
            "column_index_cache_size",
            "compaction_throughput",
            "concurrent_index_builders",
            "concurrent_materialized_view_builders",
            "counter_write_request_timeout",
            "dynamic_snitch_badness_threshold",
            "dynamic_snitch_reset_interval",
            "dynamic_snitch_update_interval",
            "entire_sstable_inter_dc_stream_throughput_outbound",
            "entire_sstable_stream_throughput_outbound",
            "hinted_handoff_enabled",
            "hinted_handoff_throttle",
            "incremental_backups",
            "inter_dc_stream_throughput_outbound",
            "max_hint_window",
            "native_transport_max_concurrent_connections",
            "native_transport_max_concurrent_connections_per_ip",
            "phi_convict_threshold",
            "range_request_timeout",
            "read_request_timeout",
            "repair_request_timeout",
            "request_timeout",
            "snapshot_links_per_second",
            "stream_throughput_outbound",
            "tombstone_failure_threshold",
            "tombstone_warn_threshold",
            "transfer_hints_on_decommission",
            "truncate_request_timeout",
            "write_request_timeout",
            // guardrails
            "allow_filtering_enabled",
            "alter_table_enabled",
            "columns_per_table_fail_threshold",
            "columns_per_table_warn_threshold",
            "compact_tables_enabled",
            "drop_keyspace_enabled",
            "drop_truncate_table_enabled",
            "fields_per_udt_fail_threshold",
            "fields_per_udt_warn_threshold",
            "group_by_enabled",
            "in_select_cartesian_product_fail_threshold",
            "in_select_cartesian_product_warn_threshold",
            "items_per_collection_fail_threshold",
            "items_per_collection_warn_threshold",
            "keyspaces_fail_threshold",
            "keyspaces_warn_threshold",
            "materialized_views_per_table_fail_threshold",
            "materialized_views_per_table_warn_threshold",
            "page_size_fail_threshold",
            "page_size_warn_threshold",
            "partition_keys_in_select_fail_threshold",
            "partition_keys_in_select_warn_threshold",
            "partition_tombstones_fail_threshold",
            "partition_tombstones_warn_threshold",
            "read_before_write_list_operations_enabled",
            "secondary_indexes_enabled",
            "secondary_indexes_per_table_fail_threshold",
            "secondary_indexes_per_table_warn_threshold",
            "simplestrategy_enabled",
            "tables_fail_threshold",
            "tables_warn_threshold",
            "uncompressed_tables_enabled",
            "user_timestamps_enabled",
            "vector_dimensions_fail_threshold",
            "vector_dimensions_warn_threshold",
            "zero_ttl_on_twcs_enabled");

    private LiveParameters() {}

    /** All of them, sorted. */
    public static Set<String> names() {
        Set<String> names = new TreeSet<>(WITH_KNOWN_DEFAULT);
        names.addAll(WITHOUT_KNOWN_DEFAULT);
        return names;
    }

    public static boolean contains(String name) {
        return hasKnownDefault(name) || WITHOUT_KNOWN_DEFAULT.contains(name);
    }

    /** Whether a running daemon can return to Cassandra's default when the value is removed. */
    public static boolean hasKnownDefault(String name) {
        return WITH_KNOWN_DEFAULT.contains(name);
    }

    /** Whether a running daemon can change from one value to the other; {@code removed} when the new spec has none. */
    public static boolean takes(String name, boolean removed) {
        return removed ? hasKnownDefault(name) : contains(name);
    }

    /** The names whose values differ. */
    public static Set<String> changed(Map<String, ?> before, Map<String, ?> after) {
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.removeIf(n -> Objects.equals(before.get(n), after.get(n)));
        return names;
    }

    /** The live parameters of a cassandra.yaml. */
    public static Map<String, Object> of(Map<String, Object> yaml) {
        Map<String, Object> live = new TreeMap<>(yaml);
        live.keySet().removeIf(n -> !contains(n));
        return live;
    }

    /** The first cassandra.yaml, with its live parameters taken from {@code settings}. */
    public static Map<String, Object> with(Map<String, Object> yaml, Map<String, Object> settings) {
        Map<String, Object> mixed = new TreeMap<>(yaml);
        mixed.keySet().removeIf(LiveParameters::contains);
        mixed.putAll(settings);
        return mixed;
    }
}
