package io.ringmaster.cqlshell;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.screen.TextTable;
import io.ringmaster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows of a result, independent of the driver so that they can be tested alone.
 *
 * @param cells values of each row as text
 * @param json values of each row as JSON
 */
record Rows(List<String> columns, List<List<String>> cells, List<List<JsonNode>> json) {

    List<Line> table(int width) {
        TextTable table = new TextTable();
        columns.forEach(table::text);
        cells.forEach(row -> table.row(row.toArray()));
        return table.lines(width);
    }

    /** A block for each row with a line for each column; nothing is cut. */
    List<Line> expanded(int firstNumber) {
        int longest = columns.stream().mapToInt(String::length).max().orElse(0);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            lines.add(Line.of(Style.DIM, "@ row " + (firstNumber + i)));
            for (int c = 0; c < columns.size(); c++) {
                lines.add(Line.of(Style.DIM, columns.get(c))
                        .padded(longest)
                        .and("  " + cells.get(i).get(c)));
            }
        }
        return lines;
    }

    /** One object per line. */
    List<String> jsonLines() {
        return json.stream()
                .map(row -> {
                    ObjectNode object = JsonNodeFactory.instance.objectNode();
                    for (int c = 0; c < columns.size(); c++) {
                        object.set(columns.get(c), row.get(c));
                    }
                    return Json.text(object);
                })
                .toList();
    }

    /** RFC 4180; a null is an empty field. */
    List<String> csv(boolean withTitles) {
        List<String> lines = new ArrayList<>();
        if (withTitles) {
            lines.add(columns.stream().map(Rows::field).collect(Collectors.joining(",")));
        }
        for (int i = 0; i < cells.size(); i++) {
            List<String> fields = new ArrayList<>();
            for (int c = 0; c < columns.size(); c++) {
                fields.add(json.get(i).get(c).isNull() ? "" : field(cells.get(i).get(c)));
            }
            lines.add(String.join(",", fields));
        }
        return lines;
    }

    private static String field(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain && !text.isEmpty() ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
