package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and changes statements as {@code DESCRIBE SCHEMA} writes them. Quoted text is never taken for CQL. */
final class CqlText {
    private static final Pattern GRACE = Pattern.compile("\\bgc_grace_seconds\\s*=\\s*(\\d+)");
    private static final Pattern ID = Pattern.compile("\\bID\\s*=\\s*([0-9a-fA-F-]{36})");
    private static final Pattern DROP = Pattern.compile("^ALTER\\s+TABLE\\s+\\S+\\s+DROP\\s+(\\S+)");
    private static final Pattern CREATE = Pattern.compile(
            "^(?:CREATE\\s+(?:CUSTOM\\s+INDEX|MATERIALIZED\\s+VIEW|\\w+)|ALTER\\s+TABLE\\s+\\S+\\s+ADD)\\s+()");

    /** {@code DESCRIBE} writes what it cannot make into one. */
    private static final String COMMENT = "/*";

    private static final String COMMENT_END = "*/";

    private CqlText() {}

    /** The statements of a text, without the semicolons after them. */
    static List<String> split(String text) {
        String plain = withoutQuoted(text);
        List<String> statements = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = plain.indexOf(';', start);
            end = end < 0 ? text.length() : end;
            String statement = text.substring(start, end).strip();
            if (!statement.isEmpty()) {
                statements.add(statement);
            }
            start = end + 1;
        }
        return statements;
    }

    /** Adds to {@code gc_grace_seconds}, unless it is 0: such a table has no deletions that replicas could miss. */
    static String withGrace(String statement, long seconds) {
        Optional<MatchResult> found = find(GRACE, statement);
        long grace = found.map(m -> Long.parseLong(text(statement, m))).orElse(0L);
        return grace == 0
                ? statement
                : replace(statement, found.get(), Long.toString(Math.min(Integer.MAX_VALUE, grace + seconds)));
    }

    /** Lets the statement do nothing if what it creates or adds is there. */
    static String unlessThere(String statement) {
        return find(CREATE, statement)
                .map(m -> replace(statement, m, "IF NOT EXISTS "))
                .orElse(statement);
    }

    /** The id of the table or view that the statement creates. */
    static Optional<String> id(String statement) {
        return find(ID, statement).map(m -> text(statement, m));
    }

    /** The column that the statement drops. */
    static Optional<String> droppedColumn(String statement) {
        return find(DROP, statement).map(m -> unquoted(text(statement, m)));
    }

    /** A name as Cassandra knows it. */
    static String unquoted(String name) {
        return name.startsWith("\"") ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name;
    }

    private static Optional<MatchResult> find(Pattern pattern, String statement) {
        Matcher matcher = pattern.matcher(withoutQuoted(statement));
        return matcher.find() ? Optional.of(matcher.toMatchResult()) : Optional.empty();
    }

    private static String text(String statement, MatchResult found) {
        return statement.substring(found.start(1), found.end(1));
    }

    private static String replace(String statement, MatchResult found, String by) {
        return statement.substring(0, found.start(1)) + by + statement.substring(found.end(1));
    }

    /** The same text, with {@code _} for each character between quotes, or in a comment. */
    private static String withoutQuoted(String text) {
        StringBuilder plain = new StringBuilder(text);
        int at = 0;
        while (at < text.length()) {
            String quote = quote(text, at);
            if (quote.isEmpty()) {
                at++;
                continue;
            }
            String closing = quote.equals(COMMENT) ? COMMENT_END : quote;
            int end = text.indexOf(closing, at + quote.length());
            end = end < 0 ? text.length() : end;
            for (int i = at + quote.length(); i < end; i++) {
                plain.setCharAt(i, '_');
            }
            at = end + closing.length();
        }
        return plain.toString();
    }

    private static String quote(String text, int at) {
        for (String quote : List.of("'", "\"", "$$", COMMENT)) {
            if (text.startsWith(quote, at)) {
                return quote;
            }
        }
        return "";
    }
}
