package io.ringmaster.engine.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stores of a table, one for each generation: the current one, those whose export to sstables is not complete, and
 * those whose truncation Cassandra has not recorded yet.
 */
final class TableStores {
    private static final Logger LOG = LoggerFactory.getLogger(TableStores.class);

    private final Engine engine;
    private final String table;
    private final IntFunction<TableStore> open;
    private final List<TableStore> exporting = new ArrayList<>();
    private final List<Truncated> truncated = new ArrayList<>();
    private Generations generations;
    private TableStore current;

    /** @param recordBefore Cassandra's record of the truncation before */
    private record Truncated(TableStore store, TableStore.Lease lease, long recordBefore) {}

    /**
     * @param isExportOnly whether the table has another memtable now, so that all its data must be exported
     * @param open creates the store of a generation
     */
    TableStores(Engine engine, String table, boolean isExportOnly, IntFunction<TableStore> open) {
        this.engine = engine;
        this.table = table;
        this.open = open;
        this.generations = read(engine, table);
        if (engine.readCatalogue("generations:" + table) == null) {
            persist(generations);
        }
        dropUnknownFamilies();
        if (isExportOnly && engine.family(family(table, generations.current())) != null) {
            generations = generations.nextForExport();
            persist(generations);
        }
        generations.exporting().forEach(generation -> exporting.add(open.apply(generation)));
        this.current = open.apply(generations.current());
    }

    private static Generations read(Engine engine, String table) {
        String stored = engine.readCatalogue("generations:" + table);
        return stored == null ? Generations.FIRST : Generations.read(stored);
    }

    /**
     * Called before a table is opened. A truncation that a crash interrupted before Cassandra recorded it is undone, as
     * that of sstables would be.
     *
     * @param record reads Cassandra's record of the last truncation
     */
    static void endTruncations(Engine engine, String table, LongSupplier record) {
        Generations generations = read(engine, table);
        if (generations.truncated().isEmpty()) {
            return;
        }
        long recorded = record.getAsLong();
        for (Map.Entry<Integer, Long> old : generations.truncated().entrySet()) {
            if (recorded == old.getValue()) {
                LOG.info("{} was not truncated: the end of the node interrupted it", family(table, old.getKey()));
                engine.writeCatalogue("newest:" + table, TimestampBounds.UNKNOWN.text());
                generations = generations.undoTruncation(old.getKey());
            } else {
                generations = generations.withoutTruncated(old.getKey());
            }
        }
        engine.writeCatalogue("generations:" + table, generations.text());
    }

    /** The column family of a generation. */
    static String family(String table, int generation) {
        return table + "." + generation;
    }

    private void dropUnknownFamilies() {
        for (String family : engine.families(table + ".")) {
            int generation = Integer.parseInt(family.substring(table.length() + 1));
            if (!generations.has(generation)) {
                engine.dropFamily(family);
            }
        }
    }

    synchronized TableStore current() {
        return current;
    }

    /** The stores whose export is not complete, the oldest first. */
    synchronized List<TableStore> exporting() {
        return List.copyOf(exporting);
    }

    synchronized boolean isExporting() {
        return !exporting.isEmpty();
    }

    /** Whether a store beside the current one belongs into a snapshot. */
    synchronized boolean hasOthers() {
        return !exporting.isEmpty() || !truncated.isEmpty();
    }

    /**
     * Starts a generation for new writes, unless {@link #retire} did. The data of the store survive a crash until
     * {@link #discard}.
     */
    synchronized TableStore renewForExport(TableStore store) {
        retire(store);
        persist(generations);
        return current;
    }

    /**
     * Puts an empty store into the place of the current one, unless that is another one already. Writes no file, so
     * that it cannot fail: until the empty store has a memtable, a crash may give the table its former current one.
     */
    synchronized void retire(TableStore store) {
        if (store.generation() != current.generation()) {
            return;
        }
        // nobody updates its rules from now on, and older data may still come
        current.nativePurgeRules().forbid();
        exporting.add(current);
        generations = generations.nextForExport();
        current = open.apply(generations.current());
    }

    /**
     * Starts a generation for new writes. The data of the old one stay until {@link #releaseTruncated}, for snapshots
     * and for a crash.
     *
     * @param record Cassandra's record of the last truncation before
     */
    synchronized TableStore renewForTruncation(long record) {
        TableStore.Lease lease = current.lease();
        if (lease == null) {
            return renewAfterDrop();
        }
        truncated.add(new Truncated(current, lease, record));
        return renew(generations.nextForTruncation(record));
    }

    /** Starts a generation for new writes. The data of the old one, and of truncated ones, will be deleted. */
    synchronized TableStore renewAfterDrop() {
        List.copyOf(truncated).forEach(this::release);
        return renew(generations.next());
    }

    private TableStore renew(Generations next) {
        generations = next;
        persist(generations);
        current = open.apply(generations.current());
        return current;
    }

    /** Deletes the data of a generation. If it is the current one, an empty generation replaces it first. */
    synchronized void discard(TableStore store) {
        if (store.generation() == generations.current()) {
            renewAfterDrop();
        } else if (generations.exporting().contains(store.generation())) {
            generations = generations.withoutExported(store.generation());
            persist(generations);
        }
        exporting.removeIf(exported -> exported.generation() == store.generation());
        store.drop();
    }

    /**
     * Deletes the data of the truncations that Cassandra has recorded.
     *
     * @param record the current one
     */
    synchronized void releaseTruncated(long record) {
        for (Truncated old : List.copyOf(truncated)) {
            if (old.recordBefore != record) {
                release(old);
            }
        }
    }

    private void release(Truncated old) {
        generations = generations.withoutTruncated(old.store.generation());
        persist(generations);
        truncated.remove(old);
        old.lease.close();
    }

    /** Leases of the exporting stores and the current one, so that they exist until the leases are closed. */
    synchronized List<TableStore.Lease> leases() {
        List<TableStore.Lease> leases = new ArrayList<>();
        exporting.forEach(store -> addLease(store, leases));
        addLease(current, leases);
        return leases;
    }

    private static void addLease(TableStore store, List<TableStore.Lease> leases) {
        TableStore.Lease lease = store.lease();
        if (lease != null) {
            leases.add(lease);
        }
    }

    /** The stores whose truncation is not recorded yet. They exist until {@link #releaseTruncated}. */
    synchronized List<TableStore> truncated() {
        return truncated.stream().map(Truncated::store).toList();
    }

    private void persist(Generations changed) {
        engine.writeCatalogue("generations:" + table, changed.text());
    }
}
