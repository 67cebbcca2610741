package io.ringmaster.engine.memtable;

import io.ringmaster.engine.export.TemporarySSTables;
import io.ringmaster.engine.store.Engine;
import io.ringmaster.engine.store.EngineSettings;
import io.ringmaster.engine.store.EngineSettings.Durability;
import io.ringmaster.engine.store.Table;
import io.ringmaster.engine.store.TableStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.index.SecondaryIndexManager;
import org.apache.cassandra.schema.TableMetadataRef;
import org.jspecify.annotations.Nullable;
import org.rocksdb.WriteOptions;

/** Makes the memtables of one configuration in cassandra.yaml. */
public final class RocksDBMemtableFactory implements Memtable.Factory {
    /** The newest memtable of each table, of all configurations. Guarded by itself. */
    private static final Map<Table, RocksDBMemtable> NEWEST = new HashMap<>();

    private final EngineSettings settings;
    private final WriteOptions writeOptions;

    public RocksDBMemtableFactory(EngineSettings settings) {
        this.settings = settings;
        this.writeOptions = new WriteOptions()
                .setDisableWAL(settings.durability() == Durability.COMMIT_LOG)
                .setSync(settings.durability() == Durability.WAL
                        && DatabaseDescriptor.getCommitLogSync() != Config.CommitLogSync.periodic);
        UnfinishedMoves.finishInBackground(this, settings);
    }

    WriteOptions writeOptions() {
        return writeOptions;
    }

    @Override
    public Memtable create(
            AtomicReference<CommitLogPosition> lowerBound, TableMetadataRef metadata, Memtable.Owner owner) {
        Engine engine = Engine.open(settings);
        Table table = Table.open(engine, metadata.get());
        synchronized (NEWEST) {
            RocksDBMemtable before = NEWEST.get(table);
            if (before == null && owner instanceof ColumnFamilyStore cfs) {
                boolean isAtStart = cfs.getTracker() == null;
                if (!isAtStart) {
                    TemporarySSTables.removeLoaded(cfs);
                }
                TemporarySSTables.removeLeftOvers(cfs.getDirectories());
            }
            Fate fate = before == null ? null : fate(before, owner);
            TableStore store = store(table, fate);
            if (before != null && fate != null) {
                before.decide(fate);
            }
            RocksDBMemtable created = new RocksDBMemtable(this, lowerBound, metadata, owner, table, store, fate);
            NEWEST.put(table, created);
            Upkeep.start(engine);
            return created;
        }
    }

    private static TableStore store(Table table, @Nullable Fate fate) {
        if (fate == null || fate == Fate.HAND_OVER) {
            return table.current();
        }
        return fate == Fate.EXPORT ? table.renewForExport() : table.renewForTruncation();
    }

    /** Those of all tables that are not dropped. */
    static List<RocksDBMemtable> newest() {
        synchronized (NEWEST) {
            NEWEST.values().removeIf(RocksDBMemtable::isDropped);
            return List.copyOf(NEWEST.values());
        }
    }

    /**
     * What becomes of the memtable that is switched out now. An index follows its base table, which is switched just before it. Where
     * nobody said why, the data are exported: Cassandra writes them out, or discards them if it truncates.
     */
    private static Fate fate(RocksDBMemtable before, Memtable.Owner owner) {
        Fate asked = before.fate();
        if (asked != null) {
            return asked;
        }
        if (owner instanceof ColumnFamilyStore cfs && cfs.isIndex() && hasBase(cfs)) {
            Memtable base = SecondaryIndexManager.getParentCfs(cfs).getCurrentMemtable();
            Fate followed = base instanceof RocksDBMemtable memtable ? memtable.bornBy() : null;
            if (followed != null) {
                return followed;
            }
        }
        return Fate.EXPORT;
    }

    /** Not while the base is being dropped, which goes first. */
    private static boolean hasBase(ColumnFamilyStore index) {
        return index.keyspace.hasColumnFamilyStore(index.metadata.id);
    }

    void discard(RocksDBMemtable memtable) {
        Table table = memtable.table();
        synchronized (NEWEST) {
            table.discard(memtable.store());
            NEWEST.remove(table, memtable);
        }
    }

    @Override
    public boolean writesShouldSkipCommitLog() {
        return settings.durability() == Durability.WAL;
    }

    @Override
    public boolean writesAreDurable() {
        return settings.durability() == Durability.WAL;
    }

    /** Streams arrive as sstables, which are read beside RocksDB. */
    @Override
    public boolean streamToMemtable() {
        return false;
    }

    @Override
    public boolean streamFromMemtable() {
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RocksDBMemtableFactory factory && factory.settings.equals(settings);
    }

    @Override
    public int hashCode() {
        return settings.hashCode();
    }
}
