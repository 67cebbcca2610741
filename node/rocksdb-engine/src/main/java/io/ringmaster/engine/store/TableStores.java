package io.ringmaster.engine.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The stores of a table, one for each generation: the current one, those whose export to sstables is not complete, and
 * those whose truncation Cassandra has not recorded yet.
 */
final class TableStores {
    private final Engine engine;
    private final String table;
    private final IntFunction<TableStore> open;
    private final List<TableStore> exporting = new ArrayList<>();
    private final List<Truncated> truncated = new ArrayList<>();
    private Generations generations;
    private TableStore current;

    private record Truncated(TableStore store, TableStore.Lease lease, long atMillis) {}

    /**
     * @param isExportOnly whether the table has another memtable now, so that all its data must be exported
     * @param open creates the store of a generation
     */
    TableStores(Engine engine, String table, boolean isExportOnly, IntFunction<TableStore> open) {
        this.engine = engine;
        this.table = table;
        this.open = open;
        String stored = engine.readCatalogue("generations:" + table);
        this.generations = stored == null ? new Generations(1, List.of()) : Generations.read(stored);
        if (stored == null) {
            persist(generations);
        }
        dropUnknownFamilies();
        if (isExportOnly && engine.family(family(table, generations.current())) != null) {
            generations = generations.next(true);
            persist(generations);
        }
        generations.exporting().forEach(generation -> exporting.add(open.apply(generation)));
        this.current = open.apply(generations.current());
    }

    /** The column family of a generation. */
    static String family(String table, int generation) {
        return table + "." + generation;
    }

    private void dropUnknownFamilies() {
        for (String family : engine.families(table + ".")) {
            int generation = Integer.parseInt(family.substring(table.length() + 1));
            if (generation != generations.current() && !generations.exporting().contains(generation)) {
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

    /** Starts a generation for new writes. The data of the old one survive a crash until {@link #discard}. */
    synchronized TableStore renewForExport() {
        exporting.add(current);
        return renew(true);
    }

    /**
     * Starts a generation for new writes. The data of the old one will be deleted.
     *
     * @param isKept whether the old one stays until {@link #releaseTruncated}, for a snapshot
     */
    synchronized TableStore renewForTruncation(boolean isKept) {
        TableStore.Lease lease = isKept ? current.lease() : null;
        if (lease != null) {
            truncated.add(new Truncated(current, lease, System.currentTimeMillis()));
        }
        return renew(false);
    }

    private TableStore renew(boolean isExport) {
        generations = generations.next(isExport);
        persist(generations);
        current = open.apply(generations.current());
        return current;
    }

    /** Deletes the data of a generation. If it is the current one, an empty generation replaces it first. */
    synchronized void discard(TableStore store) {
        if (store.generation() == generations.current()) {
            renew(false);
        } else if (generations.exporting().contains(store.generation())) {
            generations = generations.without(store.generation());
            persist(generations);
        }
        exporting.removeIf(exported -> exported.generation() == store.generation());
        store.drop();
    }

    /** Deletes the data of the truncations that started before the given time. */
    synchronized void releaseTruncated(long recordedAtMillis) {
        truncated.removeIf(old -> {
            boolean isRecorded = old.atMillis <= recordedAtMillis;
            if (isRecorded) {
                old.lease.close();
            }
            return isRecorded;
        });
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
