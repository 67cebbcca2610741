package io.ringmaster.engine.store;

import io.ringmaster.engine.encoding.Columns;
import io.ringmaster.engine.encoding.StoredRecord;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the engine remembers of a table, whatever becomes of its memtables. An index has a table of its own. */
public final class Table {
    private static final Logger LOG = LoggerFactory.getLogger(Table.class);
    private static final Map<String, Table> TABLES = new ConcurrentHashMap<>();

    private static final int ID_DIGITS = 32;

    private final Engine engine;
    private final String name;
    private final Columns columns;
    private final Newest newest;
    private Generations generations;
    private TableStore current;
    private volatile long discardedAtMillis;
    private volatile boolean hasWideDeletions;
    private volatile long sweptBefore;
    /** The start of the process counts as one: deletions of before it are not needed sooner. */
    private volatile long lastSweepSeconds = FBUtilities.nowInSeconds();

    private long oldestOutside = Long.MIN_VALUE;
    private volatile long oldestLate;
    private volatile long lateSeenSeconds = FBUtilities.nowInSeconds();
    private volatile long keepSeconds = Integer.MAX_VALUE;

    private Table(Engine engine, String name, TableMetadata metadata, boolean isLeaving) {
        this.engine = engine;
        this.name = name;
        String known = engine.recall("columns:" + name);
        this.columns = new Columns(names(known == null ? "" : known), metadata, this::remember);
        this.newest = newest(engine, name);
        this.hasWideDeletions = engine.recall("deletions:" + name) != null;
        // without clustering columns a deleted partition is one record
        this.sweptBefore = metadata.comparator.size() == 0 ? Long.MAX_VALUE : 0;
        String late = engine.recall("late:" + name);
        this.oldestLate = late == null ? Long.MAX_VALUE : Long.parseLong(late);
        String stored = engine.recall("generations:" + name);
        this.generations = stored == null ? new Generations(1, List.of()) : Generations.read(stored);
        if (stored == null) {
            remember(generations);
        }
        for (String family : engine.families(name + ".")) {
            int generation = Integer.parseInt(family.substring(name.length() + 1));
            if (generation != generations.current() && !generations.exporting().contains(generation)) {
                engine.dropFamily(family);
            }
        }
        if (isLeaving && engine.family(family(generations.current())) != null) {
            generations = generations.next(true);
            remember(generations);
        }
        this.current = new TableStore(engine, this, generations.current());
        if (!isLeaving) {
            takeBackExports();
        }
    }

    /** An index's table has the id of its base, but not the name. */
    public static String name(TableMetadata metadata) {
        return metadata.keyspace + "/" + metadata.name + "-" + metadata.id.toHexString();
    }

    /** That of the base, if it is an index. */
    public static TableId id(String name) {
        String hex = name.substring(name.length() - ID_DIGITS);
        return TableId.fromUUID(new UUID(
                Long.parseUnsignedLong(hex.substring(0, ID_DIGITS / 2), 16),
                Long.parseUnsignedLong(hex.substring(ID_DIGITS / 2), 16)));
    }

    /** Whether it was in use since the process began. */
    public static boolean isOpen(String name) {
        return TABLES.containsKey(name);
    }

    /** The same object for the same table, for as long as the process lives. */
    public static Table open(Engine engine, TableMetadata metadata) {
        return TABLES.computeIfAbsent(name(metadata), name -> new Table(engine, name, metadata, false));
    }

    /** One that lies elsewhere by now: what it still holds is {@link #leaving}. */
    public static Table openToLeave(Engine engine, TableMetadata metadata) {
        return TABLES.computeIfAbsent(name(metadata), name -> new Table(engine, name, metadata, true));
    }

    /** What is to be exported, the oldest first. */
    public synchronized List<TableStore> leaving() {
        return generations.exporting().stream()
                .map(generation -> new TableStore(engine, this, generation))
                .toList();
    }

    /** After a crash in the middle of an export: what it wrote is not in use, so that its source still counts. */
    private void takeBackExports() {
        for (int generation : generations.exporting()) {
            TableStore source = new TableStore(engine, this, generation);
            LOG.info("taking back {}, whose export to sstables did not end", source);
            current.absorb(source);
            generations = generations.without(generation);
            remember(generations);
            source.drop();
        }
    }

    /**
     * Opens a snapshot of it.
     *
     * @throws IllegalArgumentException there is none in this directory
     */
    public Copy copy(Path directory, TableMetadata metadata) {
        return engine.copy(directory, metadata);
    }

    public synchronized TableStore current() {
        return current;
    }

    /** Whether an sstable is none of those that a truncation still has to remove, by when its data were complete. */
    public boolean mayAbsorb(long dataMillis) {
        return dataMillis > discardedAtMillis;
    }

    /** An empty store for the writes from now on; the data of the old one survive a crash until {@link #discard}. */
    public synchronized TableStore renewForExport() {
        return renew(true);
    }

    /** An empty store for the writes from now on; the data of the old one, and those in sstables, are to be deleted. */
    public synchronized TableStore renewForTruncation() {
        discardedAtMillis = System.currentTimeMillis();
        return renew(false);
    }

    private TableStore renew(boolean isExport) {
        generations = generations.next(isExport);
        remember(generations);
        current = new TableStore(engine, this, generations.current());
        return current;
    }

    /** Deletes an old generation; the current one is replaced by an empty one first. */
    public synchronized void discard(TableStore store) {
        if (store.generation() == generations.current()) {
            renew(false);
        } else if (generations.exporting().contains(store.generation())) {
            generations = generations.without(store.generation());
            remember(generations);
        }
        store.drop();
    }

    /**
     * Which tombstones compactions may drop.
     *
     * @param graceSeconds how long the table keeps them
     * @param oldestElsewhere the timestamp of the oldest write that is outside of RocksDB, in microseconds
     */
    public synchronized void purge(long graceSeconds, long oldestElsewhere) {
        keepSeconds = graceSeconds + engine.settings().purgeDelaySeconds();
        oldestOutside = oldestElsewhere;
        if (oldestLate != Long.MAX_VALUE
                && FBUtilities.nowInSeconds() - lateSeenSeconds
                        > engine.settings().purgeDelaySeconds()) {
            remember("late", Long.MAX_VALUE);
            oldestLate = Long.MAX_VALUE;
        }
        allowPurging();
    }

    private void allowPurging() {
        if (generations.exporting().isEmpty()) {
            current.purging().allow(keepSeconds, Math.min(oldestOutside, oldestLate), sweptBefore);
        } else {
            current.purging().forbid();
        }
    }

    /** To be called before a write becomes visible: one that is older than tombstones that may be gone must not meet only some of them. */
    public void written(long timestamp) {
        long horizon = FBUtilities.timestampMicros() - TimeUnit.SECONDS.toMicros(keepSeconds);
        if (timestamp < horizon) {
            late(timestamp);
        }
    }

    /** To be called before a record is written that stands beside rows of its own: a partition's header where there are clustering columns. */
    public void written(StoredRecord header) {
        if (!hasWideDeletions && header.deletesWidely()) {
            remember("deletions", 1);
            hasWideDeletions = true;
        }
    }

    /** Whether rows may be shadowed by deletions of partitions or ranges that no sweep has met for a while. */
    public boolean needsSweep() {
        return hasWideDeletions
                && FBUtilities.nowInSeconds() - lastSweepSeconds
                        > engine.settings().sweepSeconds();
    }

    /** All deletions of before this second were written onto the rows they shadow. */
    public synchronized void swept(long beforeSeconds) {
        sweptBefore = beforeSeconds;
        lastSweepSeconds = beforeSeconds;
        allowPurging();
    }

    /** Counts until compactions have certainly brought it together with what shadows it. */
    private void late(long timestamp) {
        lateSeenSeconds = FBUtilities.nowInSeconds();
        if (timestamp < oldestLate) {
            lower(timestamp);
        }
    }

    private synchronized void lower(long timestamp) {
        if (timestamp < oldestLate) {
            remember("late", timestamp);
            oldestLate = timestamp;
            allowPurging();
        }
    }

    Columns columns() {
        return columns;
    }

    /** One that was made before the bound was remembered has none. */
    private Newest newest(Engine engine, String name) {
        String bound = engine.recall("newest:" + name);
        long known = engine.families(name + ".").isEmpty() ? Long.MIN_VALUE : Long.MAX_VALUE;
        return new Newest(bound == null ? known : Long.parseLong(bound), timestamp -> remember("newest", timestamp));
    }

    Newest newest() {
        return newest;
    }

    /** To be called from time to time, so that writes do not have to wait for the catalogue. */
    public void keepAhead() {
        newest.keepAhead(FBUtilities.timestampMicros());
    }

    String family(int generation) {
        return name + "." + generation;
    }

    private void remember(String what, long number) {
        engine.remember(what + ":" + name, String.valueOf(number));
    }

    private void remember(Generations changed) {
        engine.remember("generations:" + name, changed.text());
    }

    private void remember(List<ByteBuffer> columnNames) {
        engine.remember(
                "columns:" + name,
                String.join(
                        " ",
                        columnNames.stream().map(ByteBufferUtil::bytesToHex).toList()));
    }

    static List<ByteBuffer> names(String text) {
        List<ByteBuffer> names = new ArrayList<>();
        for (String hex : text.split(" ", -1)) {
            if (!hex.isEmpty()) {
                names.add(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
            }
        }
        return names;
    }
}
