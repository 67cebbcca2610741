package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.TableId;

/**
 * A part of a repair: ranges with the same replicas, and tables of one keyspace.
 *
 * @param tables by {@code keyspace.table}; a table that is dropped and created again has another id
 */
record RepairSegment(String keyspace, SortedMap<String, TableId> tables, List<TokenRange> ranges) {
    RepairSegment {
        tables = Collections.unmodifiableSortedMap(new TreeMap<>(tables));
        ranges = List.copyOf(ranges);
    }

    static SortedMap<String, TableId> byName(Collection<ColumnFamilyStore> tables) {
        SortedMap<String, TableId> byName = new TreeMap<>();
        tables.forEach(t -> byName.put(Tables.name(t), Tables.id(t)));
        return byName;
    }

    List<String> names() {
        return List.copyOf(tables.keySet());
    }

    RepairSegment of(List<TokenRange> part) {
        return new RepairSegment(keyspace, tables, part);
    }

    /** Without the tables that were dropped since the repair was planned. */
    RepairSegment left() {
        SortedMap<String, TableId> left = new TreeMap<>(tables);
        left.values().removeIf(id -> !OpenKeyspaces.isThere(id));
        return new RepairSegment(keyspace, left, ranges);
    }

    List<String> dropped() {
        List<String> dropped = new ArrayList<>(names());
        dropped.removeAll(left().names());
        return dropped;
    }

    @Override
    public String toString() {
        return String.join(", ", names()) + " " + ranges.get(0)
                + (ranges.size() == 1 ? "" : " and " + (ranges.size() - 1) + " more");
    }
}
