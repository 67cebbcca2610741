package io.ringmaster.lab.page;

import java.util.List;

/**
 * A table of a page.
 *
 * @param title sentence above it; empty: none
 * @param columns titles; the first column is text, the others are figures
 */
public record Table(String title, List<String> columns, List<List<String>> rows) {
    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("a row of " + row.size() + " cells in the table '" + title + "' of "
                        + columns.size() + " columns: " + row);
            }
        }
    }
}
