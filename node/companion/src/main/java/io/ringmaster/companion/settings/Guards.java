package io.ringmaster.companion.settings;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.jspecify.annotations.Nullable;

/** The guardrails among the parameters; the two thresholds of one are set together, since Cassandra compares them. */
final class Guards {
    static final Map<String, Consumer<Config>> ALL = new TreeMap<>();

    static {
        counts();
        bytes();
        switches();
    }

    private Guards() {}

    private static void pair(String name, Consumer<Config> setter) {
        ALL.put(name + "_warn_threshold", setter);
        ALL.put(name + "_fail_threshold", setter);
    }

    private static void counts() {
        pair(
                "keyspaces",
                c -> Guardrails.instance.setKeyspacesThreshold(c.keyspaces_warn_threshold, c.keyspaces_fail_threshold));
        pair("tables", c -> Guardrails.instance.setTablesThreshold(c.tables_warn_threshold, c.tables_fail_threshold));
        pair(
                "columns_per_table",
                c -> Guardrails.instance.setColumnsPerTableThreshold(
                        c.columns_per_table_warn_threshold, c.columns_per_table_fail_threshold));
        pair(
                "secondary_indexes_per_table",
                c -> Guardrails.instance.setSecondaryIndexesPerTableThreshold(
                        c.secondary_indexes_per_table_warn_threshold, c.secondary_indexes_per_table_fail_threshold));
        pair(
                "materialized_views_per_table",
                c -> Guardrails.instance.setMaterializedViewsPerTableThreshold(
                        c.materialized_views_per_table_warn_threshold, c.materialized_views_per_table_fail_threshold));
        pair(
                "page_size",
                c -> Guardrails.instance.setPageSizeThreshold(c.page_size_warn_threshold, c.page_size_fail_threshold));
        pair(
                "partition_keys_in_select",
                c -> Guardrails.instance.setPartitionKeysInSelectThreshold(
                        c.partition_keys_in_select_warn_threshold, c.partition_keys_in_select_fail_threshold));
        pair(
                "in_select_cartesian_product",
                c -> Guardrails.instance.setInSelectCartesianProductThreshold(
                        c.in_select_cartesian_product_warn_threshold, c.in_select_cartesian_product_fail_threshold));
        pair(
                "items_per_collection",
                c -> Guardrails.instance.setItemsPerCollectionThreshold(
                        c.items_per_collection_warn_threshold, c.items_per_collection_fail_threshold));
        pair(
                "fields_per_udt",
                c -> Guardrails.instance.setFieldsPerUDTThreshold(
                        c.fields_per_udt_warn_threshold, c.fields_per_udt_fail_threshold));
        pair(
                "partition_tombstones",
                c -> Guardrails.instance.setPartitionTombstonesThreshold(
                        c.partition_tombstones_warn_threshold, c.partition_tombstones_fail_threshold));
        pair(
                "vector_dimensions",
                c -> Guardrails.instance.setVectorDimensionsThreshold(
                        c.vector_dimensions_warn_threshold, c.vector_dimensions_fail_threshold));
    }

    private static void bytes() {
        pair(
                "partition_size",
                c -> Guardrails.instance.setPartitionSizeThreshold(
                        text(c.partition_size_warn_threshold), text(c.partition_size_fail_threshold)));
        pair(
                "column_value_size",
                c -> Guardrails.instance.setColumnValueSizeThreshold(
                        text(c.column_value_size_warn_threshold), text(c.column_value_size_fail_threshold)));
        pair(
                "collection_size",
                c -> Guardrails.instance.setCollectionSizeThreshold(
                        text(c.collection_size_warn_threshold), text(c.collection_size_fail_threshold)));
    }

    private static void switches() {
        ALL.put(
                "allow_filtering_enabled",
                c -> Guardrails.instance.setAllowFilteringEnabled(c.allow_filtering_enabled));
        ALL.put("alter_table_enabled", c -> Guardrails.instance.setAlterTableEnabled(c.alter_table_enabled));
        ALL.put("compact_tables_enabled", c -> Guardrails.instance.setCompactTablesEnabled(c.compact_tables_enabled));
        ALL.put("drop_keyspace_enabled", c -> Guardrails.instance.setDropKeyspaceEnabled(c.drop_keyspace_enabled));
        ALL.put(
                "drop_truncate_table_enabled",
                c -> Guardrails.instance.setDropTruncateTableEnabled(c.drop_truncate_table_enabled));
        ALL.put("group_by_enabled", c -> Guardrails.instance.setGroupByEnabled(c.group_by_enabled));
        ALL.put(
                "read_before_write_list_operations_enabled",
                c -> Guardrails.instance.setReadBeforeWriteListOperationsEnabled(
                        c.read_before_write_list_operations_enabled));
        ALL.put(
                "secondary_indexes_enabled",
                c -> Guardrails.instance.setSecondaryIndexesEnabled(c.secondary_indexes_enabled));
        ALL.put("simplestrategy_enabled", c -> Guardrails.instance.setSimpleStrategyEnabled(c.simplestrategy_enabled));
        ALL.put(
                "uncompressed_tables_enabled",
                c -> Guardrails.instance.setUncompressedTablesEnabled(c.uncompressed_tables_enabled));
        ALL.put(
                "user_timestamps_enabled",
                c -> Guardrails.instance.setUserTimestampsEnabled(c.user_timestamps_enabled));
        ALL.put(
                "zero_ttl_on_twcs_enabled",
                c -> Guardrails.instance.setZeroTTLOnTWCSEnabled(c.zero_ttl_on_twcs_enabled));
    }

    private static @Nullable String text(DataStorageSpec.@Nullable LongBytesBound size) {
        return size == null ? null : size.toString();
    }
}
