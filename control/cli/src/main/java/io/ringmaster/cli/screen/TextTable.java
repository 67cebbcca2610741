package io.ringmaster.cli.screen;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Aligned columns that fit a width: the widest column that may shrink is cut first. */
public final class TextTable {
    private static final int GAP = 2;
    private static final int NARROWEST = 6;

    private enum Align {
        LEFT,
        RIGHT
    }

    private record Column(String title, Align align, boolean shrinks) {}

    private final List<Column> columns = new ArrayList<>();
    private final List<List<Line>> rows = new ArrayList<>();

    public TextTable column(String title) {
        columns.add(new Column(title, Align.LEFT, false));
        return this;
    }

    public TextTable number(String title) {
        columns.add(new Column(title, Align.RIGHT, false));
        return this;
    }

    /** A column whose cells may be cut when the table is too wide. */
    public TextTable text(String title) {
        columns.add(new Column(title, Align.LEFT, true));
        return this;
    }

    public TextTable row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        List<Line> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell instanceof Line line ? line : Line.of(String.valueOf(cell)));
        }
        rows.add(row);
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The title line, then the rows; no title line when every title is empty. */
    public List<Line> lines(int width) {
        int[] widths = widths(width);
        List<Line> lines = new ArrayList<>();
        if (columns.stream().anyMatch(c -> !c.title().isEmpty())) {
            lines.add(join(
                    columns.stream().map(c -> Line.of(Style.DIM, c.title())).toList(), widths));
        }
        rows.forEach(row -> lines.add(join(row, widths)));
        return lines.stream().map(line -> line.cut(width)).toList();
    }

    private int[] widths(int width) {
        int[] widths =
                IntStream.range(0, columns.size()).map(this::naturalWidth).toArray();
        int excess = IntStream.of(widths).sum() + GAP * (columns.size() - 1) - width;
        while (excess > 0) {
            int widest = widestThatShrinks(widths);
            if (widest < 0) {
                break;
            }
            widths[widest]--;
            excess--;
        }
        return widths;
    }

    private int naturalWidth(int column) {
        int title = columns.get(column).title().length();
        return rows.stream().mapToInt(r -> r.get(column).width()).reduce(title, Math::max);
    }

    private int widestThatShrinks(int[] widths) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            boolean candidate = columns.get(i).shrinks() && widths[i] > NARROWEST;
            if (candidate && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        return widest;
    }

    private Line join(List<Line> cells, int[] widths) {
        Line line = Line.EMPTY;
        for (int i = 0; i < widths.length; i++) {
            Line cell = cells.get(i).cut(widths[i]);
            boolean last = i == widths.length - 1;
            if (columns.get(i).align() == Align.RIGHT) {
                cell = cell.rightAligned(widths[i]);
            } else if (!last) {
                cell = cell.padded(widths[i]);
            }
            line = line.and(cell);
            if (!last) {
                line = line.and(" ".repeat(GAP));
            }
        }
        return line;
    }
}
