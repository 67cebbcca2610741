package io.ringmaster.engine.memtable;

import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientWarn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects tables that ask for {@code only_purge_repaired_tombstones}. Data in RocksDB never counts as repaired, so such
 * a table would keep all tombstones for ever. A plug-in cannot reject {@code CREATE TABLE} or {@code ALTER TABLE}, so
 * the client gets a warning, and writes to the table are rejected. Meanwhile nothing is purged.
 */
final class RepairedTombstones implements SchemaChangeListener {
    private static final Logger LOG = LoggerFactory.getLogger(RepairedTombstones.class);

    /** Whether the option is set. */
    static boolean areRequested(TableMetadata metadata) {
        return Boolean.parseBoolean(
                metadata.params.compaction.options().get(AbstractCompactionStrategy.ONLY_PURGE_REPAIRED_TOMBSTONES));
    }

    /** The reason for which writes are rejected. */
    static InvalidRequestException rejection(TableMetadata metadata) {
        return new InvalidRequestException(explanation(metadata));
    }

    @Override
    public void onCreateTable(TableMetadata table) {
        if (isRejected(table)) {
            warn(table);
        }
    }

    @Override
    public void onAlterTable(TableMetadata before, TableMetadata after, boolean affectsStatements) {
        if (isRejected(after) && !isRejected(before)) {
            warn(after);
        }
    }

    private static boolean isRejected(TableMetadata metadata) {
        return areRequested(metadata) && metadata.params.memtable.factory() instanceof RocksDBMemtableFactory;
    }

    private static void warn(TableMetadata metadata) {
        LOG.warn(explanation(metadata));
        ClientWarn.instance.warn(explanation(metadata));
    }

    private static String explanation(TableMetadata metadata) {
        return "writes to " + metadata + " are rejected: its compaction option only_purge_repaired_tombstones cannot be"
                + " honoured, because data in RocksDB never counts as repaired -> ALTER the table to"
                + " 'only_purge_repaired_tombstones': 'false', or to the memtable 'default'";
    }
}
