package io.ringmaster.cqlshell;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Splits text into statements: at semicolons outside of quotes and comments, and at the end of a shell command's line.
 */
final class Statements {
    /** Commands of the shell; they end with their line and need no semicolon. */
    static final Set<String> SHELL_COMMANDS =
            Set.of("consistency", "paging", "tracing", "expand", "source", "help", "exit", "quit", "clear");

    private final List<String> complete = new ArrayList<>();
    private final StringBuilder rest = new StringBuilder();

    private Statements() {}

    /**
     * @param complete statements without their semicolons; never blank
     * @param rest start of an unfinished statement; blank without one
     */
    record Cut(List<String> complete, String rest) {
        /** All statements of a text that is complete: the last one needs no semicolon. */
        List<String> all() {
            List<String> all = new ArrayList<>(complete);
            if (!rest.isBlank()) {
                all.add(rest.strip());
            }
            return all;
        }
    }

    static Cut cut(String text) {
        Statements s = new Statements();
        int at = 0;
        while (at < text.length()) {
            at = s.step(text, at);
        }
        s.endShellCommand();
        return new Cut(List.copyOf(s.complete), s.rest.toString());
    }

    /** Takes one character, quoted text or comment, and returns the offset of the next. */
    private int step(String text, int at) {
        char c = text.charAt(at);
        if (text.startsWith("--", at) || text.startsWith("//", at)) {
            return end(text.indexOf('\n', at), text, 0);
        }
        if (text.startsWith("/*", at)) {
            return end(text.indexOf("*/", at + 2), text, 2);
        }
        if (text.startsWith("$$", at)) {
            return take(text, at, end(text.indexOf("$$", at + 2), text, 2));
        }
        if (c == '\'' || c == '"') {
            return take(text, at, end(text.indexOf(c, at + 1), text, 1));
        }
        if (c == ';') {
            finish();
        } else if (c == '\n' && isShellCommand(rest.toString())) {
            finish();
        } else {
            rest.append(c);
        }
        return at + 1;
    }

    private int take(String text, int from, int to) {
        rest.append(text, from, to);
        return to;
    }

    private static int end(int found, String text, int length) {
        return found < 0 ? text.length() : found + length;
    }

    private void finish() {
        if (!rest.toString().isBlank()) {
            complete.add(rest.toString().strip());
        }
        rest.setLength(0);
    }

    private void endShellCommand() {
        if (isShellCommand(rest.toString())) {
            finish();
        }
    }

    static boolean isShellCommand(String statement) {
        String first = statement.strip().split("\\s+", 2)[0].toLowerCase(Locale.ROOT);
        return SHELL_COMMANDS.contains(first);
    }
}
