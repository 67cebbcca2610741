package io.ringmaster.engine.memtable;

import io.ringmaster.engine.export.TemporarySSTables;
import io.ringmaster.engine.store.Engine;
import io.ringmaster.engine.store.EngineSettings;
import io.ringmaster.engine.store.EngineSettings.Durability;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.index.SecondaryIndexManager;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadataRef;
import org.jspecify.annotations.Nullable;
import org.rocksdb.WriteOptions;

/** Creates the memtables of one memtable configuration in cassandra.yaml. */
public final class RocksDBMemtableFactory implements Memtable.Factory {
    /** The current memtable of each table, of all configurations. Guarded by its own monitor. */
    private static final Map<RocksDBTable, RocksDBMemtable> CURRENT = new HashMap<>();

    private final EngineSettings settings;
    private final WriteOptions writeOptions;

    public RocksDBMemtableFactory(EngineSettings settings) {
        this.settings = settings;
        this.writeOptions = new WriteOptions()
                .setDisableWAL(settings.durability() == Durability.COMMIT_LOG)
                .setSync(settings.durability() == Durability.WAL
                        && DatabaseDescriptor.getCommitLogSync() != Config.CommitLogSync.periodic);
        InterruptedMigrations.resumeInBackground(this, settings);
    }

    WriteOptions writeOptions() {
        return writeOptions;
    }

    @Override
    public Memtable create(
            AtomicReference<CommitLogPosition> lowerBound, TableMetadataRef metadata, Memtable.Owner owner) {
        if (SchemaConstants.isSystemKeyspace(metadata.keyspace)) {
            throw new ConfigurationException(
                    metadata + " cannot be in RocksDB, because it is a system table: the memtable"
                            + " configuration 'default' must not be the RocksDB engine -> give it another name in"
                            + " cassandra.yaml, and create tables WITH memtable = that name");
        }
        Engine engine = Engine.open(settings);
        RocksDBTable table = RocksDBTable.open(engine, metadata.get());
        synchronized (CURRENT) {
            RocksDBMemtable before = CURRENT.get(table);
            if (before == null && owner instanceof ColumnFamilyStore cfs) {
                boolean isAtStart = cfs.getTracker() == null;
                if (!isAtStart) {
                    TemporarySSTables.removeLoaded(cfs, engine.temporaryMarks());
                }
                TemporarySSTables.removeLeftOvers(cfs.getDirectories(), engine.temporaryMarks());
            }
            SwitchOutcome outcome =
                    before == null ? null : before.switchDecision().decide(outcome(before, owner));
            TableStore store = store(table, before, owner, outcome);
            RocksDBMemtable created = new RocksDBMemtable(this, lowerBound, metadata, owner, table, store, outcome);
            CURRENT.put(table, created);
            EngineMaintenance.start(engine);
            return created;
        }
    }

    private static TableStore store(
            RocksDBTable table,
            @Nullable RocksDBMemtable before,
            Memtable.Owner owner,
            @Nullable SwitchOutcome outcome) {
        if (before == null || outcome == null || outcome == SwitchOutcome.HAND_OVER) {
            return table.current();
        }
        if (outcome == SwitchOutcome.EXPORT) {
            return table.renewForExport(before.store());
        }
        return outcome == SwitchOutcome.TRUNCATE && owner instanceof ColumnFamilyStore cfs
                ? table.renewForTruncation(SystemKeyspace.getTruncatedAt(cfs.metadata.id))
                : table.renewAfterDrop();
    }

    /** The current memtables of all tables that are not dropped. */
    static List<RocksDBMemtable> currentMemtables() {
        synchronized (CURRENT) {
            CURRENT.values().removeIf(RocksDBMemtable::isDropped);
            return List.copyOf(CURRENT.values());
        }
    }

    /**
     * The outcome of a memtable that is being switched out. An index follows its base table, which Cassandra switches
     * first. Without a known reason the data is exported: Cassandra then writes it, or discards it for a truncation.
     */
    private SwitchOutcome outcome(RocksDBMemtable before, Memtable.Owner owner) {
        SwitchOutcome required = required(before, owner);
        return required == SwitchOutcome.HAND_OVER && !before.canHandOverTo(this) ? SwitchOutcome.EXPORT : required;
    }

    private static SwitchOutcome required(RocksDBMemtable before, Memtable.Owner owner) {
        SwitchOutcome requested = before.switchDecision().outcome();
        if (requested != null) {
            return requested;
        }
        if (owner instanceof ColumnFamilyStore cfs && cfs.isIndex() && hasBase(cfs)) {
            Memtable base = SecondaryIndexManager.getParentCfs(cfs).getCurrentMemtable();
            SwitchOutcome ofBase = base instanceof RocksDBMemtable memtable ? memtable.previousOutcome() : null;
            if (ofBase != null) {
                return ofBase;
            }
        }
        return SwitchOutcome.EXPORT;
    }

    /** Whether the index's base table still exists. A drop removes the base table first. */
    private static boolean hasBase(ColumnFamilyStore index) {
        return index.keyspace.hasColumnFamilyStore(index.metadata.id);
    }

    void discard(RocksDBMemtable memtable) {
        RocksDBTable table = memtable.table();
        synchronized (CURRENT) {
            table.discard(memtable.store());
            CURRENT.remove(table, memtable);
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

    /** Streams arrive as sstables, and reads merge them with RocksDB until they are ingested. */
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
