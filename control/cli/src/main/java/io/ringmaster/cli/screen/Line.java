package io.ringmaster.cli.screen;

import java.util.regex.Pattern;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;

/** One line of a screen: pieces of text, each with a style. Control characters of the text become spaces. */
public record Line(AttributedString text) {
    /** A blank line. */
    public static final Line EMPTY = new Line(AttributedString.EMPTY);

    private static final String CUT = "..";
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}]");

    public static Line of(String text) {
        return of(Style.PLAIN, text);
    }

    public static Line of(Style style, String text) {
        return new Line(new AttributedString(CONTROL.matcher(text).replaceAll(" "), style.attributes()));
    }

    public Line and(String more) {
        return and(Style.PLAIN, more);
    }

    public Line and(Style style, String more) {
        return and(of(style, more));
    }

    public Line and(Line more) {
        return new Line(
                new AttributedStringBuilder().append(text).append(more.text).toAttributedString());
    }

    /** Width in terminal columns. */
    public int width() {
        return text.columnLength();
    }

    /** Padded with spaces on the right up to {@code width}. */
    public Line padded(int width) {
        return and(missing(width));
    }

    /** Padded with spaces on the left up to {@code width}. */
    public Line rightAligned(int width) {
        return of(missing(width)).and(this);
    }

    private String missing(int width) {
        return " ".repeat(Math.max(0, width - width()));
    }

    /** At most {@code width} columns; a longer line is cut and ends in two dots. */
    public Line cut(int width) {
        if (width() <= width) {
            return this;
        }
        int left = Math.max(0, width - CUT.length());
        return new Line(text.columnSubSequence(0, left)).and(CUT.substring(0, Math.min(CUT.length(), width)));
    }

    public String plain() {
        return text.toString().stripTrailing();
    }

    /** Text with colour sequences of the terminal. */
    public String coloured() {
        return text.toAnsi();
    }
}
