package io.ringmaster.engine.memtable;

import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientWarn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects memtable indexes on tables whose writes no commit log replays. Each restart would lose such an index. A
 * plug-in cannot reject {@code CREATE INDEX}, so the client gets a warning, and writes to the table are rejected.
 */
final class NonDurableIndexes implements SchemaChangeListener {
    private static final Logger LOG = LoggerFactory.getLogger(NonDurableIndexes.class);

    /** @throws InvalidRequestException the table has such an index */
    static void rejectWrites(TableMetadata metadata) {
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
                && SwitchOutcome.needsSSTables(metadata);
    }

    private static String explanation(TableMetadata metadata) {
        return "writes to " + metadata
                + " are rejected: each restart loses one of its indexes, because durability is 'wal' -> drop the index,"
                + " or ALTER the table to a memtable configuration with durability 'commit_log', or to 'default'";
    }
}
