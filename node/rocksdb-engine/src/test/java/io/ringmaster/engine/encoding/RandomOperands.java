package io.ringmaster.engine.encoding;

import io.ringmaster.engine.RandomTable;
import io.ringmaster.engine.RandomUpdate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;

/** The operands that random updates of a random table write, by key, in the order of the writes. */
public final class RandomOperands {
    private final TableMetadata metadata;
    private final ColumnNumbers columns;
    private final Map<ByteBuffer, List<byte[]>> byKey = new LinkedHashMap<>();

    /** @param localTime as in {@link RandomUpdate} */
    public RandomOperands(Random random, int updates, long localTime) {
        RandomTable table = RandomTable.of(random);
        metadata = table.metadata();
        columns = new ColumnNumbers(List.of(), metadata, names -> {});
        RandomUpdate next = new RandomUpdate(table, random, localTime);
        for (int i = 0; i < updates; i++) {
            add(next.next());
        }
    }

    private void add(PartitionUpdate update) {
        byte[] partition = Keys.partition(update.partitionKey());
        boolean hasOnlyHeaders = metadata.comparator.size() == 0;
        Row headerRow = update.staticRow();
        for (Row row : update) {
            if (hasOnlyHeaders) {
                headerRow = row;
            } else {
                add(Keys.row(partition, metadata.comparator, row.clustering()), PartitionRecord.of(row));
            }
        }
        List<RangeTombstone> ranges = new ArrayList<>();
        update.deletionInfo().rangeIterator(false).forEachRemaining(ranges::add);
        add(
                Keys.header(partition),
                new PartitionRecord(update.partitionLevelDeletion(), ranges, headerRow.isEmpty() ? null : headerRow));
    }

    private void add(byte[] key, PartitionRecord written) {
        if (!written.isEmpty()) {
            byKey.computeIfAbsent(ByteBuffer.wrap(key), k -> new ArrayList<>())
                    .add(Encoder.encode(written, metadata, columns));
        }
    }

    public TableMetadata metadata() {
        return metadata;
    }

    public Map<ByteBuffer, List<byte[]>> byKey() {
        return byKey;
    }

    public PartitionRecord decoded(ByteBuffer key, byte[] value) {
        return Decoder.record(ByteBufferUtil.getArray(key), value, metadata, columns);
    }

    public byte[] encoded(PartitionRecord stored) {
        return Encoder.encode(stored, metadata, columns);
    }

    /** What a read finds in a record, without what its own deletions shadow. */
    public List<String> shown(PartitionRecord stored) {
        List<String> shown = new ArrayList<>();
        DeletionTime partition = stored.partitionDeletion();
        shown.add(partition.toString());
        shown.addAll(ranges(stored.ranges(), partition));
        Row row = stored.row() == null ? null : asRead(stored.row(), partition);
        shown.add(row == null || row.isEmpty() ? "no row" : row.toString(metadata, true, true));
        // either of two equal values, such as 1 and 1.00, may win
        return shown.stream().map(line -> line.replaceAll("\\b1\\.0+\\b", "1")).toList();
    }

    /** The disjoint ranges, in which neighbours of one deletion are one range. */
    private List<String> ranges(List<RangeTombstone> ranges, DeletionTime partition) {
        MutableDeletionInfo disjoint = MutableDeletionInfo.live();
        ranges.forEach(range -> disjoint.add(range, metadata.comparator));
        List<String> shown = new ArrayList<>();
        RangeTombstone last = null;
        for (Iterator<RangeTombstone> each = disjoint.rangeIterator(false); each.hasNext(); ) {
            RangeTombstone next = each.next();
            if (next.deletionTime().markedForDeleteAt() < partition.markedForDeleteAt()) {
                continue;
            }
            if (last != null && isContinued(last, next)) {
                next = new RangeTombstone(
                        Slice.make(
                                last.deletedSlice().start(), next.deletedSlice().end()),
                        next.deletionTime());
                shown.remove(shown.size() - 1);
            }
            shown.add(next.deletedSlice().toString(metadata.comparator) + next.deletionTime());
            last = next;
        }
        return shown;
    }

    private boolean isContinued(RangeTombstone last, RangeTombstone next) {
        return last.deletionTime().equals(next.deletionTime())
                && metadata.comparator.compare(
                                last.deletedSlice().end(), next.deletedSlice().start())
                        == 0;
    }

    private @Nullable Row asRead(Row row, DeletionTime partition) {
        Row.Merger merger = new Row.Merger(2, true);
        merger.add(0, row);
        merger.add(1, row);
        return merger.merge(partition);
    }

    public static byte[] concatenated(List<byte[]> operands) {
        ByteBuffer all =
                ByteBuffer.allocate(operands.stream().mapToInt(o -> o.length).sum());
        operands.forEach(all::put);
        return all.array();
    }
}
