package io.ringmaster.cli.screen;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.WCWidth;

/** One line of a screen: pieces of text, each with a style. Control characters of the text become spaces. */
public record Line(List<Span> spans) {
    /** A blank line. */
    public static final Line EMPTY = new Line(List.of());

    private static final String CUT = "..";

    /** A piece of a line. */
    public record Span(String text, Style style) {
        public Span {
            text = text.codePoints()
                    .map(c -> Character.isISOControl(c) ? ' ' : c)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
        }
    }

    public Line {
        spans = List.copyOf(spans);
    }

    public static Line of(String text) {
        return of(Style.PLAIN, text);
    }

    public static Line of(Style style, String text) {
        return text.isEmpty() ? EMPTY : new Line(List.of(new Span(text, style)));
    }

    public Line and(String text) {
        return and(Style.PLAIN, text);
    }

    public Line and(Style style, String text) {
        return and(of(style, text));
    }

    public Line and(Line more) {
        List<Span> all = new ArrayList<>(spans);
        all.addAll(more.spans);
        return new Line(all);
    }

    /** Width in terminal columns. */
    public int width() {
        return spans.stream().mapToInt(s -> width(s.text())).sum();
    }

    /** Padded with spaces on the right up to {@code width}. */
    public Line padded(int width) {
        int missing = width - width();
        return missing <= 0 ? this : and(" ".repeat(missing));
    }

    /** Padded with spaces on the left up to {@code width}. */
    public Line rightAligned(int width) {
        int missing = width - width();
        return missing <= 0 ? this : of(" ".repeat(missing)).and(this);
    }

    /** At most {@code width} columns; a longer line is cut and ends in two dots. */
    public Line cut(int width) {
        if (width() <= width) {
            return this;
        }
        int left = Math.max(0, width - CUT.length());
        List<Span> kept = new ArrayList<>();
        for (Span span : spans) {
            String part = head(span.text(), left);
            kept.add(new Span(part, span.style()));
            left -= width(part);
            if (part.length() < span.text().length()) {
                break;
            }
        }
        return new Line(kept).and(CUT.substring(0, Math.min(CUT.length(), width)));
    }

    public String plain() {
        StringBuilder text = new StringBuilder();
        spans.forEach(s -> text.append(s.text()));
        return text.toString().stripTrailing();
    }

    /** Text with colour sequences of the terminal. */
    public String coloured() {
        StringBuilder text = new StringBuilder();
        for (Span span : spans) {
            if (span.style() == Style.PLAIN) {
                text.append(span.text());
            } else {
                text.append("\u001b[").append(span.style().sgr()).append('m');
                text.append(span.text()).append("\u001b[0m");
            }
        }
        return text.toString();
    }

    private static int width(String text) {
        return text.codePoints().map(c -> Math.max(0, WCWidth.wcwidth(c))).sum();
    }

    private static String head(String text, int width) {
        StringBuilder head = new StringBuilder();
        int left = width;
        for (int c : text.codePoints().toArray()) {
            left -= Math.max(0, WCWidth.wcwidth(c));
            if (left < 0) {
                break;
            }
            head.appendCodePoint(c);
        }
        return head.toString();
    }
}
