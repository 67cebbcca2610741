package io.ringmaster.engine.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.store.TemporaryMarks;
import java.util.Set;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The marks of temporary sstables: Cassandra writes one sstable for several ranges. */
class TemporarySSTablesTest {
    private TableMetadata metadata;
    private DecoratedKey key;
    private Memtable memtable;
    private TemporaryMarks marks;

    @BeforeEach
    void create() {
        InProcess.start();
        marks = InProcess.engine().temporaryMarks();
        metadata = CreateTableStatement.parse("CREATE TABLE streamed (p int PRIMARY KEY)", "ks")
                .build();
        key = metadata.partitioner.decorateKey(ByteBufferUtil.bytes(1));
        memtable = InProcess.rocksDB(metadata);
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(Clustering.EMPTY);
        row.addPrimaryKeyLivenessInfo(LivenessInfo.create(FBUtilities.timestampMicros(), FBUtilities.nowInSeconds()));
        try (OpOrder.Group group = new OpOrder().start()) {
            memtable.put(PartitionUpdate.singleRowUpdate(metadata, key, row.build()), UpdateTransaction.NO_OP, group);
        }
    }

    @AfterEach
    void drop() {
        InProcess.discard(memtable);
    }

    /** The commit log interval of a range. */
    private CommitLogPosition range(@Nullable PartitionPosition from, @Nullable PartitionPosition to) {
        return memtable.getFlushSet(from, to).commitLogLowerBound();
    }

    /** The marks of an sstable with these commit log positions. */
    private Set<Integer> marks(CommitLogPosition... positions) {
        IntervalSet.Builder<CommitLogPosition> intervals = new IntervalSet.Builder<>();
        for (CommitLogPosition position : positions) {
            intervals.add(position, position);
        }
        return TemporarySSTables.marks(intervals.build(), marks);
    }

    /** Each range of a table without data, in each repair, would leave a mark for ever. */
    @Test
    void anEmptyRangeGetsNoMarkOfItsOwn() {
        CommitLogPosition empty = range(key.getToken().maxKeyBound(), null);
        assertThat(marks.isActive(empty.position)).isFalse();
        assertThat(range(key.getToken().maxKeyBound(), null)).isEqualTo(empty);
        assertThat(marks(empty)).as("the marks of data").isEmpty();

        CommitLogPosition full = range(null, null);
        assertThat(marks.isActive(full.position)).isTrue();
        assertThat(marks(empty, full, empty)).as("of a temporary sstable").containsExactly(full.position);
        CommitLogPosition foreign = TemporarySSTables.position(full.position == 1 ? 2 : 1);
        assertThat(marks(foreign, empty)).as("of another node's sstable").isEmpty();
        assertThat(marks(foreign, full)).as("of a compacted one").isEmpty();
        marks.retire(Set.of(full.position));
        assertThat(marks(empty, full)).isEmpty();
    }
}
