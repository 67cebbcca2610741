package io.ringmaster.cqlshell;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.cli.screen.Formats;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.screen.TextTable;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs statements and the commands of the shell one after another, and keeps the settings between them. */
final class Shell {
    static final int PAGE = 100;
    private static final int SOURCES_WITHIN_SOURCES = 8;

    private static final Pattern CHANGES_SCHEMA = Pattern.compile("(?i)\\s*(create|alter|drop)\\s");

    private final CqlSession session;
    private final Console console;
    private final ResultPrinter printer;
    private ConsistencyLevel consistency = ConsistencyLevel.LOCAL_QUORUM;
    private int page = PAGE;
    private boolean tracing;
    private int depth;

    Shell(CqlSession session, Console console, Format format, @Nullable Pager pager) {
        this.session = session;
        this.console = console;
        this.printer = new ResultPrinter(console, format, pager);
    }

    /** Asks whether to continue after a page. */
    interface Pager {
        boolean more();
    }

    /** @return false when the user exits */
    boolean run(String statement) {
        String[] words = statement.strip().split("\\s+", -1);
        String argument = statement.strip().substring(words[0].length()).strip();
        switch (words[0].toLowerCase(Locale.ROOT)) {
            case "exit", "quit" -> {
                return false;
            }
            case "help" -> console.print(Help.LINES);
            case "clear" -> console.print("\n".repeat(50));
            case "consistency" -> consistency(argument);
            case "paging" -> paging(argument);
            case "tracing" -> tracing = toggle("tracing", argument, tracing);
            case "expand" -> printer.expand(toggle("expand", argument, printer.expanded()));
            case "source" -> source(argument);
            case "desc" -> execute("DESCRIBE " + argument);
            default -> execute(statement);
        }
        return true;
    }

    private void execute(String cql) {
        SimpleStatement statement = SimpleStatement.newInstance(cql)
                .setConsistencyLevel(consistency)
                .setPageSize(page)
                .setTracing(tracing);
        ResultSet result = session.execute(statement);
        if (CHANGES_SCHEMA.matcher(cql).lookingAt() && !SchemaAgreement.await(session, result)) {
            console.note(Line.of(Style.WARN, "the nodes do not agree on the schema yet"));
        }
        printer.print(result);
        if (tracing) {
            trace(result);
        }
    }

    private void trace(ResultSet result) {
        var trace = result.getExecutionInfo().getQueryTrace();
        TextTable table =
                new TextTable().number("MICROSECONDS").column("SOURCE").text("ACTIVITY");
        trace.getEvents()
                .forEach(e -> table.row(
                        e.getSourceElapsedMicros(),
                        String.valueOf(e.getSourceAddress()),
                        String.valueOf(e.getActivity())));
        console.print(Line.EMPTY);
        console.print(table.lines(console.width()));
        console.print("the request took " + Formats.elapsed(Duration.ofNanos(trace.getDurationMicros() * 1000L)));
    }

    private void consistency(String level) {
        if (!level.isEmpty()) {
            try {
                consistency = DefaultConsistencyLevel.valueOf(level.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new Failure(
                        ExitCode.USAGE,
                        "'" + level + "' is not a consistency level",
                        "one of " + Arrays.toString(DefaultConsistencyLevel.values()));
            }
        }
        console.print("consistency is " + consistency);
    }

    private void paging(String argument) {
        if (argument.matches("\\d{1,6}") && Integer.parseInt(argument) > 0) {
            page = Integer.parseInt(argument);
            printer.paging(true);
        } else {
            printer.paging(toggle("paging", argument, printer.isPaging()));
        }
        console.print("pages of " + page + " rows, " + (printer.isPaging() ? "one at a time" : "all at once"));
    }

    private boolean toggle(String what, String argument, boolean now) {
        boolean wanted =
                switch (argument.toLowerCase(Locale.ROOT)) {
                    case "on" -> true;
                    case "off" -> false;
                    case "" -> now;
                    default -> throw new Failure(ExitCode.USAGE, what + " is on or off, not '" + argument + "'", null);
                };
        if (!what.equals("paging")) {
            console.print(what + " is " + (wanted ? "on" : "off"));
        }
        return wanted;
    }

    private void source(String argument) {
        Path file = Path.of(argument.replaceAll("^'|'$", ""));
        if (depth >= SOURCES_WITHIN_SOURCES) {
            throw new Failure(ExitCode.FAILED, file + " reads itself", null);
        }
        depth++;
        try {
            runAll(Statements.cut(Files.readString(file)).all());
        } catch (IOException e) {
            throw new Failure(ExitCode.USAGE, "cannot read " + file, "SOURCE 'file.cql'");
        } finally {
            depth--;
        }
    }

    /** Runs them until one fails or exits. */
    void runAll(List<String> statements) {
        for (String statement : statements) {
            if (!run(statement)) {
                return;
            }
        }
    }

    /** {@code rides>} or {@code rides:trips>}. */
    Line prompt(String cluster) {
        return Line.of(
                Style.BOLD,
                cluster + session.getKeyspace().map(k -> ":" + k.asCql(true)).orElse("") + "> ");
    }
}
