package io.ringmaster.engine.encoding;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.DroppedColumn;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that identify columns in stored cells. A number is assigned once, made durable before its first use, and
 * never reused.
 */
public final class ColumnNumbers {
    private static final int MAX_COLUMNS = 1 << 16;

    private final Consumer<List<ByteBuffer>> persist;
    private final List<ByteBuffer> names;
    private volatile View view;

    /**
     * @param names the names of all numbered columns; a column's number is its index
     * @param persist stores all names, called before a new number is used; returns once they are durable
     */
    public ColumnNumbers(List<ByteBuffer> names, TableMetadata metadata, Consumer<List<ByteBuffer>> persist) {
        this.names = new ArrayList<>(names);
        this.persist = persist;
        this.view = new View(metadata, this.names);
    }

    /** The form in which the catalogue stores column names: hexadecimal, separated by spaces. */
    public static String format(List<ByteBuffer> names) {
        return String.join(" ", names.stream().map(ByteBufferUtil::bytesToHex).toList());
    }

    /** Parses the result of {@link #format}; an empty text has no names. */
    public static List<ByteBuffer> parse(String text) {
        List<ByteBuffer> names = new ArrayList<>();
        for (String hex : text.split(" ", -1)) {
            if (!hex.isEmpty()) {
                names.add(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
            }
        }
        return names;
    }

    /** The numbers for the given schema. Each schema change creates a new metadata object, so identity is enough. */
    @SuppressWarnings("ReferenceEquality")
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
        if (names.size() == MAX_COLUMNS) {
            throw new IllegalStateException(view.metadata + " cannot store column " + column.name
                    + ": a table in RocksDB has at most " + MAX_COLUMNS
                    + " columns, dropped ones included -> copy it into a new table");
        }
        List<ByteBuffer> extended = new ArrayList<>(names);
        extended.add(column.name.bytes);
        persist.accept(extended);
        names.add(column.name.bytes);
        view = new View(view.metadata, names);
        return names.size() - 1;
    }

    /** The numbers joined with one version of the schema. */
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

        /**
         * Whether the column was dropped after this time. It may have been added again since.
         *
         * @param timestamp of the cell, in microseconds
         */
        boolean isDropped(int number, long timestamp) {
            return timestamp <= droppedAt[number] && droppedAt[number] != Long.MIN_VALUE;
        }
    }
}
