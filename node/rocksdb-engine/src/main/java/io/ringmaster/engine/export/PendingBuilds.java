package io.ringmaster.engine.export;

import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.view.View;
import org.apache.cassandra.schema.ViewMetadata;

/** Builds of indexes and views that read a table's sstables. */
public final class PendingBuilds {
    private PendingBuilds() {}

    /** Whether a build reads the table's sstables now, or will once it starts. */
    public static boolean exist(ColumnFamilyStore cfs) {
        Set<String> built = Set.copyOf(cfs.getBuiltIndexes());
        if (cfs.metadata().indexes.stream().anyMatch(index -> !built.contains(index.name))) {
            return true;
        }
        for (ViewMetadata view : View.findAll(cfs.getKeyspaceName(), cfs.getTableName())) {
            if (!SystemKeyspace.isViewBuilt(cfs.getKeyspaceName(), view.name())) {
                return true;
            }
        }
        return false;
    }
}
