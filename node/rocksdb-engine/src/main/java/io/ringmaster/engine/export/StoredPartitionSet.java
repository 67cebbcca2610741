package io.ringmaster.engine.export;

import com.google.common.collect.AbstractIterator;
import io.ringmaster.engine.read.PartitionScan;
import io.ringmaster.engine.read.StoredPartitions;
import io.ringmaster.engine.store.TableStore;
import io.ringmaster.engine.store.TemporaryMarks;
import java.lang.ref.Cleaner;
import java.util.Iterator;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;
import org.jspecify.annotations.Nullable;

/** A token range of stored partitions that Cassandra writes to an sstable. */
public final class StoredPartitionSet implements Memtable.FlushablePartitionSet<Partition> {
    /** Frees iterators that were not read to their end. The interface has no close, and an sstable write can fail. */
    private static final Cleaner CLEANER = Cleaner.create();
    /** The number of further partitions is estimated, because counting reads all of them. */
    private static final int MAX_COUNTED = 100_000;

    private final Memtable memtable;
    private final StoredPartitions partitions;
    private final @Nullable CommitLogPosition mark;
    private final @Nullable PartitionPosition from;
    private final @Nullable PartitionPosition to;
    private final long partitionCount;
    private final long keyBytes;

    /**
     * Estimates the number of partitions. Issues a mark only if there are some: Cassandra writes no sstable if all sets
     * for it are empty, and nothing would retire their marks.
     *
     * @param marks for a temporary sstable (stream, validation, build); null if the sstable replaces the memtable
     */
    public StoredPartitionSet(
            Memtable memtable,
            StoredPartitions partitions,
            @Nullable TemporaryMarks marks,
            @Nullable PartitionPosition from,
            @Nullable PartitionPosition to) {
        this.memtable = memtable;
        this.partitions = partitions;
        this.from = from;
        this.to = to;
        long count = 0;
        long bytes = 0;
        double factor = 1;
        Keys keys = new Keys(partitions, from, to);
        while (keys.hasNext()) {
            DecoratedKey key = keys.next();
            bytes += key.getKeyLength();
            if (++count == MAX_COUNTED) {
                long counted = partitions.approximateBytes(from, key.getToken().maxKeyBound());
                factor = (double) partitions.approximateBytes(from, to) / Math.max(1, counted);
                keys.close();
                break;
            }
        }
        this.partitionCount = (long) (count * Math.max(1, factor));
        this.keyBytes = (long) (bytes * Math.max(1, factor));
        this.mark = marks == null
                ? null
                : TemporarySSTables.position(partitionCount == 0 ? TemporaryMarks.EMPTY : marks.issue());
    }

    @Override
    public Memtable memtable() {
        return memtable;
    }

    @Override
    public @Nullable PartitionPosition from() {
        return from;
    }

    @Override
    public @Nullable PartitionPosition to() {
        return to;
    }

    @Override
    public CommitLogPosition commitLogLowerBound() {
        return mark == null ? memtable.getCommitLogLowerBound() : mark;
    }

    @Override
    public CommitLogPosition commitLogUpperBound() {
        return mark == null ? memtable.getFinalCommitLogUpperBound() : mark;
    }

    @Override
    public long partitionCount() {
        return partitionCount;
    }

    @Override
    public long partitionKeysSize() {
        return keyBytes;
    }

    @Override
    public long dataSize() {
        return memtable.getLiveDataSize();
    }

    @Override
    public RegularAndStaticColumns columns() {
        return memtable.metadata().regularAndStaticColumns();
    }

    @Override
    public EncodingStats encodingStats() {
        return EncodingStats.NO_STATS;
    }

    @Override
    public Iterator<Partition> iterator() {
        Keys keys = new Keys(partitions, from, to);
        return new AbstractIterator<>() {
            @Override
            protected @Nullable Partition computeNext() {
                return keys.hasNext()
                        ? new ExportedPartition(memtable.metadata(), keys.next(), keys.scan())
                        : endOfData();
            }
        };
    }

    /** The partition keys in token order. Frees its scan and lease at the end, or when it is garbage collected. */
    private static final class Keys extends AbstractIterator<DecoratedKey> {
        private final PartitionScan scan;
        private final Cleaner.Cleanable end;

        Keys(StoredPartitions partitions, @Nullable PartitionPosition from, @Nullable PartitionPosition to) {
            TableStore.Lease lease = partitions.lease();
            if (lease == null) {
                throw new IllegalStateException(
                        partitions.metadata() + " cannot be exported: it was truncated or dropped meanwhile");
            }
            PartitionScan opened = PartitionScan.between(partitions, from, to);
            this.scan = opened;
            this.end = CLEANER.register(this, () -> {
                opened.close();
                lease.close();
            });
        }

        PartitionScan scan() {
            return scan;
        }

        void close() {
            end.clean();
        }

        @Override
        protected @Nullable DecoratedKey computeNext() {
            DecoratedKey key = scan.next();
            if (key == null) {
                close();
                return endOfData();
            }
            return key;
        }
    }
}
