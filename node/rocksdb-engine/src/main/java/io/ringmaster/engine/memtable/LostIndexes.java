package io.ringmaster.engine.memtable;

import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientWarn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Indexes that live in memtables, on tables whose writes no commit log replays: each restart would lose them. Nothing can refuse them when
 * they are made; but whoever makes one is warned, and nothing is written to such a table.
 */
final class LostIndexes implements SchemaChangeListener {
    private static final Logger LOG = LoggerFactory.getLogger(LostIndexes.class);

    /** @throws InvalidRequestException the table has such an index */
    static void refuseWrites(TableMetadata metadata) {
        if (hasAny(metadata)) {
            throw new InvalidRequestException(explanation(metadata));
        }
    }

    @Override
    public void onAlterTable(TableMetadata before, TableMetadata after, boolean affectsStatements) {
        if (hasAny(after) && !hasAny(before)) {
            LOG.warn(explanation(after));
            ClientWarn.instance.warn(explanation(after));
        }
    }

    private static boolean hasAny(TableMetadata metadata) {
        return !metadata.indexes.isEmpty()
                && metadata.params.memtable.factory() instanceof RocksDBMemtableFactory factory
                && factory.writesAreDurable()
                && Fate.needsSSTables(metadata);
    }

    private static String explanation(TableMetadata metadata) {
        return "writes to " + metadata
                + " are refused: an index of it is lost with each restart, because durability is 'wal': drop the"
                + " index, or ALTER the table to a memtable configuration with durability 'commit_log', or to 'default'";
    }
}
