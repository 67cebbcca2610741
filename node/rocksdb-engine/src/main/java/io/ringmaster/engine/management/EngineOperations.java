package io.ringmaster.engine.management;

import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.store.Engine;
import io.ringmaster.engine.store.TableStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.MBeanWrapper;
import org.jspecify.annotations.Nullable;

/** See {@link EngineOperationsMBean}. */
public final class EngineOperations implements EngineOperationsMBean {
    private final Engine engine;
    private final Supplier<Map<String, ? extends ManagedTable>> tables;

    private EngineOperations(Engine engine, Supplier<Map<String, ? extends ManagedTable>> tables) {
        this.engine = engine;
        this.tables = tables;
    }

    /** @param tables the tables in RocksDB, by {@code keyspace.table} */
    public static void register(Engine engine, Supplier<Map<String, ? extends ManagedTable>> tables) {
        MBeanWrapper.instance.registerMBean(new EngineOperations(engine, tables), NAME);
    }

    @Override
    public Map<String, Map<String, Long>> getTables() {
        Map<String, Map<String, Long>> all = new TreeMap<>();
        tables.get().forEach((name, table) -> {
            TableStore store = table.store();
            Map<String, Long> sizes = new LinkedHashMap<>();
            sizes.put("files_bytes", store.property("rocksdb.total-sst-files-size"));
            sizes.put("live_bytes", store.property("rocksdb.estimate-live-data-size"));
            sizes.put("memory_bytes", store.property("rocksdb.cur-size-all-mem-tables"));
            sizes.put("records", store.property("rocksdb.estimate-num-keys"));
            sizes.put("purge_limit_timestamp", table.purgeLimit());
            all.put(name, sizes);
        });
        return all;
    }

    @Override
    public Map<String, Long> getNode() {
        Map<String, Long> node = new LinkedHashMap<>();
        node.put("block_cache_bytes", engine.property("rocksdb.block-cache-usage"));
        node.put("block_cache_pinned_bytes", engine.property("rocksdb.block-cache-pinned-usage"));
        node.put("table_reader_bytes", engine.property("rocksdb.estimate-table-readers-mem"));
        node.put("write_buffer_bytes", engine.property("rocksdb.cur-size-all-mem-tables"));
        node.put("pending_compaction_bytes", engine.property("rocksdb.estimate-pending-compaction-bytes"));
        node.put("running_compactions", engine.property("rocksdb.num-running-compactions"));
        node.put("running_flushes", engine.property("rocksdb.num-running-flushes"));
        node.put("is_write_stopped", engine.property("rocksdb.is-write-stopped"));
        node.put("background_errors", engine.property("rocksdb.background-errors"));
        return node;
    }

    private ManagedTable table(String keyspace, String table) {
        ManagedTable found = tables.get().get(keyspace + "." + table);
        if (found == null) {
            throw new IllegalArgumentException(keyspace + "." + table + " is not in RocksDB; the tables in RocksDB are "
                    + tables.get().keySet());
        }
        return found;
    }

    @Override
    public void compact(String keyspace, String table) {
        table(keyspace, table).compact();
    }

    @Override
    public long restore(String keyspace, String table, String directory) {
        return table(keyspace, table).restore(Path.of(directory));
    }

    @Override
    public void cleanup(String keyspace, String table) {
        StorageService service = StorageService.instance;
        if (!service.isNormal()
                || !service.getTokenMetadata()
                        .getPendingRangesMM(keyspace)
                        .keySet()
                        .isEmpty()) {
            throw new IllegalStateException("cannot clean up " + keyspace + "." + table
                    + ": this node or another is joining, leaving or moving -> retry when that is done");
        }
        List<Range<Token>> owned =
                Range.normalize(service.getLocalReplicas(keyspace).ranges());
        if (owned.isEmpty()) {
            throw new IllegalStateException("cannot clean up " + keyspace + "." + table
                    + ": this node owns no range of the keyspace -> drop the table or decommission the node instead");
        }
        TableStore store = table(keyspace, table).store();
        for (Gap gap : gaps(owned)) {
            store.deleteRange(gap.start, gap.end);
        }
    }

    @Override
    public void verify() {
        engine.verify();
    }

    /** The keys between two owned ranges, from start (inclusive) to end (exclusive); null is an end of the table. */
    private static final class Gap {
        final byte @Nullable [] start;
        final byte @Nullable [] end;

        Gap(@Nullable Token after, @Nullable Token upTo) {
            this.start = endOf(after);
            this.end = endOf(upTo);
        }

        /** The position after all keys of a token. */
        private static byte @Nullable [] endOf(@Nullable Token token) {
            PartitionPosition position = token == null ? null : token.maxKeyBound();
            return Keys.position(position, true);
        }
    }

    /** @param owned sorted ranges that neither overlap nor wrap around the end of the ring */
    private static List<Gap> gaps(List<Range<Token>> owned) {
        List<Gap> gaps = new ArrayList<>();
        Token after = null;
        boolean isAtEnd = false;
        for (Range<Token> range : owned) {
            if (!range.left.isMinimum()) {
                gaps.add(new Gap(after, range.left));
            }
            after = range.right;
            isAtEnd = range.right.isMinimum();
        }
        if (!isAtEnd) {
            gaps.add(new Gap(after, null));
        }
        return gaps;
    }
}
