package io.ringmaster.engine.encoding;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.DroppedColumn;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** The numbers by which stored cells name their columns. A number is given once, persisted before its first use, and never given again. */
public final class Columns {
    private static final int MOST = 1 << 16;

    private final Consumer<List<ByteBuffer>> persist;
    private final List<ByteBuffer> names;
    private volatile View view;

    /**
     * @param names those given so far: a column's number is its place
     * @param persist called with all names before a new one is used; must not return before they are durable
     */
    public Columns(List<ByteBuffer> names, TableMetadata metadata, Consumer<List<ByteBuffer>> persist) {
        this.names = new ArrayList<>(names);
        this.persist = persist;
        this.view = new View(metadata, this.names);
    }

    /** The numbers as the table stands now. */
    @SuppressWarnings(
            "ReferenceEquality") // each change of the schema makes a new object, and comparing all columns would cost
    // more
    View view(TableMetadata metadata) {
        View current = view;
        return current.metadata == metadata ? current : renew(metadata);
    }

    private synchronized View renew(TableMetadata metadata) {
        View renewed = new View(metadata, names);
        view = renewed;
        return renewed;
    }

    int number(View known, ColumnMetadata column) {
        Integer number = known.numbers.get(column.name.bytes);
        return number != null ? number : add(column);
    }

    private synchronized int add(ColumnMetadata column) {
        int known = names.indexOf(column.name.bytes);
        if (known >= 0) {
            return known;
        }
        if (names.size() == MOST) {
            throw new IllegalStateException("a table stored in RocksDB can have had " + MOST
                    + " columns in its life; copy it into a new one to add " + column.name);
        }
        List<ByteBuffer> extended = new ArrayList<>(names);
        extended.add(column.name.bytes);
        persist.accept(extended);
        names.add(column.name.bytes);
        view = new View(view.metadata, names);
        return names.size() - 1;
    }

    /** The numbers together with one state of the schema. */
    static final class View {
        private final TableMetadata metadata;
        private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
        private final @Nullable ColumnMetadata[] columns;
        private final long[] droppedAt;

        private View(TableMetadata metadata, List<ByteBuffer> names) {
            this.metadata = metadata;
            columns = new ColumnMetadata[names.size()];
            droppedAt = new long[names.size()];
            for (int i = 0; i < columns.length; i++) {
                ByteBuffer name = names.get(i);
                numbers.put(name, i);
                columns[i] = metadata.getColumn(name);
                DroppedColumn dropped = metadata.droppedColumns.get(name);
                droppedAt[i] = dropped == null ? Long.MIN_VALUE : dropped.droppedTime;
            }
        }

        /** The column, or null if it was dropped. */
        @Nullable
        ColumnMetadata column(int number) {
            return number < columns.length ? columns[number] : null;
        }

        /** Whether the column was dropped after this time, and possibly added again since. */
        boolean isDropped(int number, long timestamp) {
            return timestamp <= droppedAt[number] && droppedAt[number] != Long.MIN_VALUE;
        }
    }
}
