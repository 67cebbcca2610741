package io.ringmaster.cqlshell;

import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.cli.screen.Formats;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.terminal.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Prints results page by page, so that a large result neither fills the memory nor delays its first rows. */
final class ResultPrinter {
    private final Console console;
    private final Format format;
    private final Shell.@Nullable Pager pager;
    private boolean expanded;
    private boolean paging = true;

    /** @param pager asks between pages; null without a terminal */
    ResultPrinter(Console console, Format format, Shell.@Nullable Pager pager) {
        if (format == Format.YAML) {
            throw new Failure(ExitCode.USAGE, "rows are printed as table, json or csv", "-o json");
        }
        this.console = console;
        this.format = format;
        this.pager = pager;
    }

    void expand(boolean on) {
        expanded = on;
    }

    boolean expanded() {
        return expanded;
    }

    void paging(boolean on) {
        paging = on;
    }

    boolean isPaging() {
        return paging;
    }

    void print(ResultSet result) {
        List<String> columns = StreamSupport.stream(
                        result.getColumnDefinitions().spliterator(), false)
                .map(ColumnDefinition::getName)
                .map(name -> name.asCql(true))
                .toList();
        if (columns.isEmpty()) {
            return;
        }
        if (columns.contains("create_statement") && format == Format.TABLE) {
            result.forEach(row -> console.print(row.getString("create_statement") + "\n"));
            return;
        }
        int printed = 0;
        boolean goOn = true;
        while (goOn) {
            Rows rows = page(result, columns);
            if (printed == 0 || !rows.cells().isEmpty()) {
                print(rows, printed);
            }
            printed += rows.cells().size();
            goOn = !result.isFullyFetched() && (!paging || pager == null || pager.more());
        }
        if (format == Format.TABLE) {
            console.print(Line.of(Style.DIM, "(" + Formats.count(printed, "row") + ")"));
        }
    }

    private static Rows page(ResultSet result, List<String> columns) {
        if (result.getAvailableWithoutFetching() == 0 && !result.isFullyFetched()) {
            Row first = result.one();
            return first == null ? new Rows(columns, List.of(), List.of()) : rows(first, result, columns);
        }
        return rows(null, result, columns);
    }

    private static Rows rows(@Nullable Row first, ResultSet result, List<String> columns) {
        List<List<String>> cells = new ArrayList<>();
        List<List<JsonNode>> json = new ArrayList<>();
        Row row = first == null && result.getAvailableWithoutFetching() > 0 ? result.one() : first;
        while (row != null) {
            List<String> texts = new ArrayList<>();
            List<JsonNode> nodes = new ArrayList<>();
            for (int c = 0; c < columns.size(); c++) {
                texts.add(Values.text(row, c));
                nodes.add(Values.json(row, c));
            }
            cells.add(texts);
            json.add(nodes);
            row = result.getAvailableWithoutFetching() > 0 ? result.one() : null;
        }
        return new Rows(columns, cells, json);
    }

    private void print(Rows rows, int before) {
        switch (format) {
            case JSON -> rows.jsonLines().forEach(console::print);
            case CSV -> rows.csv(before == 0).forEach(console::print);
            case TABLE, YAML -> console.print(expanded ? rows.expanded(before + 1) : rows.table(console.width()));
        }
    }
}
