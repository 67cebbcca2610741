package io.ringmaster.companion.settings;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.jspecify.annotations.Nullable;

/** The setters of guardrails. A guardrail's two thresholds are set together, since Cassandra compares them. */
final class GuardrailSetters {
    static final Map<String, Consumer<Config>> ALL = new TreeMap<>();

    /** Sets both thresholds of one guardrail. */
    private interface Thresholds<T> {
        void set(Guardrails guardrails, @Nullable T warn, @Nullable T fail);
    }

    private interface Switch {
        void set(Guardrails guardrails, boolean enabled);
    }

    static {
        counts("keyspaces", Guardrails::setKeyspacesThreshold);
        counts("tables", Guardrails::setTablesThreshold);
        counts("columns_per_table", Guardrails::setColumnsPerTableThreshold);
        counts("secondary_indexes_per_table", Guardrails::setSecondaryIndexesPerTableThreshold);
        counts("materialized_views_per_table", Guardrails::setMaterializedViewsPerTableThreshold);
        counts("page_size", Guardrails::setPageSizeThreshold);
        counts("partition_keys_in_select", Guardrails::setPartitionKeysInSelectThreshold);
        counts("in_select_cartesian_product", Guardrails::setInSelectCartesianProductThreshold);
        counts("items_per_collection", Guardrails::setItemsPerCollectionThreshold);
        counts("fields_per_udt", Guardrails::setFieldsPerUDTThreshold);
        counts("vector_dimensions", Guardrails::setVectorDimensionsThreshold);
        thresholds("partition_tombstones", Long.class::cast, Guardrails::setPartitionTombstonesThreshold);
        sizes("partition_size", Guardrails::setPartitionSizeThreshold);
        sizes("column_value_size", Guardrails::setColumnValueSizeThreshold);
        sizes("collection_size", Guardrails::setCollectionSizeThreshold);
        enabled("allow_filtering", Guardrails::setAllowFilteringEnabled);
        enabled("alter_table", Guardrails::setAlterTableEnabled);
        enabled("compact_tables", Guardrails::setCompactTablesEnabled);
        enabled("drop_keyspace", Guardrails::setDropKeyspaceEnabled);
        enabled("drop_truncate_table", Guardrails::setDropTruncateTableEnabled);
        enabled("group_by", Guardrails::setGroupByEnabled);
        enabled("read_before_write_list_operations", Guardrails::setReadBeforeWriteListOperationsEnabled);
        enabled("secondary_indexes", Guardrails::setSecondaryIndexesEnabled);
        enabled("simplestrategy", Guardrails::setSimpleStrategyEnabled);
        enabled("uncompressed_tables", Guardrails::setUncompressedTablesEnabled);
        enabled("user_timestamps", Guardrails::setUserTimestampsEnabled);
        enabled("zero_ttl_on_twcs", Guardrails::setZeroTTLOnTWCSEnabled);
    }

    private GuardrailSetters() {}

    private static void counts(String name, Thresholds<Integer> setter) {
        thresholds(name, Integer.class::cast, setter);
    }

    /** A size is null where the guardrail is off. */
    private static void sizes(String name, Thresholds<String> setter) {
        thresholds(name, size -> size == null ? null : size.toString(), setter);
    }

    private static <T> void thresholds(
            String name, Function<@Nullable Object, @Nullable T> converter, Thresholds<T> setter) {
        String warn = name + "_warn_threshold";
        String fail = name + "_fail_threshold";
        Consumer<Config> both = config -> setter.set(
                Guardrails.instance,
                converter.apply(ConfigFields.get(warn, config)),
                converter.apply(ConfigFields.get(fail, config)));
        ALL.put(warn, both);
        ALL.put(fail, both);
    }

    private static void enabled(String name, Switch setter) {
        String field = name + "_enabled";
        ALL.put(field, config -> setter.set(Guardrails.instance, Boolean.TRUE.equals(ConfigFields.get(field, config))));
    }
}
