package io.ringmaster.companion.task;

import io.ringmaster.companion.task.RestoreFiles.Element;
import java.util.Objects;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The build of an index or view on this node. Each node answers for itself: what nodes gossip about indexes is lost at
 * a restart, and says nothing of most builds that failed.
 */
record LocalBuild(Element element) {
    /** How far it is. */
    enum State {
        /** This node does not know the index or view yet: its schema is older. */
        UNKNOWN,
        RUNNING,
        /** It is not built, and nothing builds it. */
        FAILED,
        DONE
    }

    State state() {
        return element.isView() ? ofView() : ofIndex();
    }

    private State ofView() {
        KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(element.unquotedKeyspace());
        if (keyspace == null || !keyspace.hasView(element.unquotedName())) {
            return State.UNKNOWN;
        }
        // Cassandra repeats the build of a view until it succeeds
        return SystemKeyspace.isViewBuilt(element.unquotedKeyspace(), element.unquotedName())
                ? State.DONE
                : State.RUNNING;
    }

    private State ofIndex() {
        ColumnFamilyStore table = indexed();
        Index index = table == null ? null : table.indexManager.getIndexByName(element.unquotedName());
        if (table == null || index == null) {
            return State.UNKNOWN;
        }
        if (table.indexManager.isIndexBuilding(element.unquotedName()) || isBuilding(table.metadata())) {
            return State.RUNNING;
        }
        return SystemKeyspace.isIndexBuilt(element.unquotedKeyspace(), element.unquotedName())
                        && table.indexManager.isIndexQueryable(index)
                ? State.DONE
                : State.FAILED;
    }

    /** Some kinds of indexes count as built while their build is at work, such as those of SASI. */
    private static boolean isBuilding(TableMetadata table) {
        return CompactionManager.instance.active.getCompactions().stream()
                .map(CompactionInfo.Holder::getCompactionInfo)
                .filter(build -> build.getTaskType() == OperationType.INDEX_BUILD)
                .map(CompactionInfo::getTableMetadata)
                .anyMatch(built -> built != null && built.id.equals(table.id)); // the next index changes the rest
    }

    private @Nullable ColumnFamilyStore indexed() {
        KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(element.unquotedKeyspace());
        return keyspace == null
                ? null
                : keyspace.findIndexedTable(element.unquotedName())
                        .map(table -> ColumnFamilyStore.getIfExists(table.id))
                        .orElse(null);
    }

    /** Builds an index again, and waits for it. */
    void again() {
        Objects.requireNonNull(indexed()).indexManager.rebuildIndexesBlocking(Set.of(element.unquotedName()));
    }
}
