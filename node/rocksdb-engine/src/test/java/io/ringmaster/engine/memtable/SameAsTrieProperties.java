package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.RandomSeeds;
import io.ringmaster.engine.RandomTable;
import io.ringmaster.engine.RandomUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Bounds;
import org.apache.cassandra.dht.ExcludingBounds;
import org.apache.cassandra.dht.IncludingExcludingBounds;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Applies the same random updates to Cassandra's trie memtable and to RocksDB's. All reads must return the same.
 *
 * <p>{@code -Dengine.seeds=5000} runs more seeds, {@code -Dengine.seed=N} repeats one.
 */
class SameAsTrieProperties {
    @TestFactory
    Stream<DynamicTest> readsAndFlushesEqualThoseOfTheTrieMemtable() {
        InProcess.start();
        return RandomSeeds.each(60, SameAsTrieProperties::compare);
    }

    private static void compare(long seed) {
        Random random = new Random(seed);
        RandomTable table = RandomTable.of(random);
        Memtable trie = InProcess.trie(table.metadata());
        Memtable rocksDB = InProcess.rocksDB(table.metadata());
        RandomUpdate updates = new RandomUpdate(table, random);
        for (int i = random.nextInt(30); i >= 0; i--) {
            PartitionUpdate update = updates.next();
            put(trie, update);
            put(rocksDB, update);
            if (random.nextInt(8) == 0) {
                ((RocksDBMemtable) rocksDB).store().flush();
            }
        }
        compare(table, random, trie, rocksDB);
        ((RocksDBMemtable) rocksDB).compact();
        compare(table, random, trie, rocksDB);
        InProcess.discard(rocksDB);
    }

    private static void compare(RandomTable table, Random random, Memtable trie, Memtable rocksDB) {
        for (DecoratedKey key : table.keys()) {
            Slices noRow = table.metadata().comparator.size() == 0 ? Slices.ALL : Slices.NONE;
            for (Slices slices : List.of(Slices.ALL, noRow, slices(table, random), slices(table, random))) {
                for (boolean isReversed : new boolean[] {false, true}) {
                    assertThat(read(rocksDB, key, slices, isReversed))
                            .as("%s of %s, reversed: %s", slices, key, isReversed)
                            .isEqualTo(read(trie, key, slices, isReversed));
                }
            }
        }
        for (AbstractBounds<PartitionPosition> range : ranges(table)) {
            assertThat(scan(rocksDB, range)).as(range.toString()).isEqualTo(scan(trie, range));
        }
        assertThat(flushed(rocksDB)).isEqualTo(flushed(trie));
    }

    private static void put(Memtable memtable, PartitionUpdate update) {
        try (OpOrder.Group group = new OpOrder().start()) {
            memtable.put(update, UpdateTransaction.NO_OP, group);
        }
    }

    private static Slices slices(RandomTable table, Random random) {
        if (table.metadata().comparator.size() == 0) {
            return Slices.ALL;
        }
        Slices.Builder slices = new Slices.Builder(table.metadata().comparator);
        for (int i = random.nextInt(3); i >= 0; i--) {
            slices.add(random.nextBoolean() ? table.slice() : Slice.make(table.clustering()));
        }
        return slices.build();
    }

    private static List<AbstractBounds<PartitionPosition>> ranges(RandomTable table) {
        PartitionPosition least = table.metadata().partitioner.getMinimumToken().minKeyBound();
        List<AbstractBounds<PartitionPosition>> ranges = new ArrayList<>();
        ranges.add(new Range<>(least, least));
        for (DecoratedKey a : table.keys()) {
            for (DecoratedKey b : table.keys()) {
                if (a.compareTo(b) <= 0) {
                    ranges.add(new Bounds<>(a, b));
                }
                if (a.compareTo(b) < 0) {
                    ranges.add(new Range<>(a, b));
                    ranges.add(new IncludingExcludingBounds<>(a, b));
                    ranges.add(new ExcludingBounds<>(a, b));
                }
            }
            ranges.add(new Range<>(a.getToken().minKeyBound(), a.getToken().maxKeyBound()));
            ranges.add(new Range<>(a, least));
        }
        return ranges;
    }

    private static List<String> read(Memtable memtable, DecoratedKey key, Slices slices, boolean isReversed) {
        TableMetadata metadata = memtable.metadata();
        return shown(memtable.rowIterator(
                key, slices, ColumnFilter.all(metadata), isReversed, SSTableReadsListener.NOOP_LISTENER));
    }

    private static List<String> scan(Memtable memtable, AbstractBounds<PartitionPosition> range) {
        TableMetadata metadata = memtable.metadata();
        List<String> shown = new ArrayList<>();
        try (UnfilteredPartitionIterator partitions = memtable.partitionIterator(
                ColumnFilter.all(metadata),
                range instanceof Range
                        ? DataRange.forKeyRange((Range<PartitionPosition>) range)
                        : new DataRange(
                                range,
                                new org.apache.cassandra.db.filter.ClusteringIndexSliceFilter(Slices.ALL, false)),
                SSTableReadsListener.NOOP_LISTENER)) {
            while (partitions.hasNext()) {
                UnfilteredRowIterator partition = partitions.next();
                shown.addAll(shown(partition));
            }
        }
        return shown;
    }

    private static List<String> flushed(Memtable memtable) {
        PartitionPosition least =
                memtable.metadata().partitioner.getMinimumToken().minKeyBound();
        List<String> shown = new ArrayList<>();
        for (Partition partition : memtable.getFlushSet(least, null)) {
            shown.addAll(shown(partition.unfilteredIterator()));
        }
        return shown;
    }

    /**
     * Whether a deletion is older than each column of a row. Such a deletion need not be shown, because Cassandra stops
     * reading as well once it has found newer columns.
     */
    private static boolean isBelow(DeletionTime deletion, Row row, TableMetadata metadata) {
        if (deletion.isLive()
                || row.primaryKeyLivenessInfo().timestamp() <= deletion.markedForDeleteAt()
                || row.columnCount() != metadata.regularColumns().size()) {
            return false;
        }
        for (ColumnData data : row) {
            if (!(data instanceof Cell<?> cell) || cell.timestamp() <= deletion.markedForDeleteAt()) {
                return false;
            }
        }
        return true;
    }

    private static Row withoutDeletion(Row row) {
        Row.Builder without = BTreeRow.sortedBuilder();
        without.newRow(row.clustering());
        without.addPrimaryKeyLivenessInfo(row.primaryKeyLivenessInfo());
        row.cells().forEach(without::addCell);
        return without.build();
    }

    /**
     * Two cells may have equal paths of different bytes, such as 1 and 1.00; either may win, so both are shown as 1.
     */
    private static String shown(Row row, TableMetadata metadata) {
        Row merged = merged(row);
        Row shown = isBelow(merged.deletion().time(), merged, metadata) ? withoutDeletion(merged) : merged;
        return shown.toString(metadata, true, true).replaceAll("(\\[\\w+\\[1)\\.0+\\]", "$1]");
    }

    /** Merges the row as the read path does. A memtable may keep data that the row's deletion shadows. */
    private static Row merged(Row row) {
        Row.Merger merger = new Row.Merger(2, true);
        merger.add(0, row);
        merger.add(1, row);
        return Objects.requireNonNull(merger.merge(DeletionTime.LIVE));
    }

    /** Describes a partition. An empty partition and a missing one are the same. */
    private static List<String> shown(@Nullable UnfilteredRowIterator partition) {
        List<String> shown = new ArrayList<>();
        if (partition == null) {
            return shown;
        }
        try (partition) {
            TableMetadata metadata = partition.metadata();
            DeletionTime deletion = partition.partitionLevelDeletion();
            if (!partition.staticRow().isEmpty()) {
                shown.add(shown(partition.staticRow(), metadata));
            }
            boolean isBelow = false;
            while (partition.hasNext()) {
                Unfiltered unfiltered = partition.next();
                isBelow |= metadata.comparator.size() == 0 && isBelow(deletion, (Row) unfiltered, metadata);
                shown.add(
                        unfiltered instanceof Row row
                                ? shown(row, metadata)
                                // either of two equal bounds, such as 1 and 1.00, may win when ranges are merged
                                : unfiltered.toString(metadata, true, true).replaceAll("\\b1\\.0+\\b", "1"));
            }
            if (!deletion.isLive() && !isBelow) {
                shown.add(0, deletion.toString());
            }
            if (!shown.isEmpty()) {
                shown.add(0, partition.partitionKey().toString());
            }
        }
        return shown;
    }
}
