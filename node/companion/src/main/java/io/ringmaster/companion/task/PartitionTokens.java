package io.ringmaster.companion.task;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.schema.TableMetadata;

/** Reads the tokens of the partitions of a table. */
final class PartitionTokens {
    private static final String COLUMN = "place";

    private PartitionTokens() {}

    /**
     * The query for the first tokens of a range.
     *
     * @param after the left end of the range, or {@code ?}
     * @param upTo its right end, or {@code ?}
     */
    static String query(TableMetadata table, Object after, Object upTo, int limit) {
        String token = table.partitionKeyColumns().stream()
                .map(column -> column.name.toCQLString())
                .collect(Collectors.joining(", ", "token(", ")"));
        return "SELECT DISTINCT " + token + " AS " + COLUMN + " FROM " + table + " WHERE " + token + " > " + after
                + " AND " + token + " <= " + upTo + " LIMIT " + limit;
    }

    static SortedSet<Long> of(UntypedResultSet rows) {
        SortedSet<Long> tokens = new TreeSet<>();
        rows.forEach(row -> tokens.add(row.getLong(COLUMN)));
        return tokens;
    }
}
