package io.ringmaster.cqlshell;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** The interactive shell. */
final class Interaction {
    private final CqlSession session;
    private final Console console;
    private final String cluster;

    Interaction(CqlSession session, Console console, String cluster) {
        this.session = session;
        this.console = console;
        this.cluster = cluster;
    }

    /** Runs until EXIT or Ctrl-D. */
    void run(Path history) {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("ringmaster")
                    .parser(new UntilSemicolon())
                    .completer(new Names(session))
                    .variable(LineReader.HISTORY_FILE, history)
                    .history(new PrivateHistory())
                    .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P  > ")
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .option(LineReader.Option.CASE_INSENSITIVE, true)
                    .build();
            Shell shell = new Shell(session, console, Format.TABLE, () -> more(reader));
            console.print(Line.of(Style.DIM, "connected to " + cluster + "; HELP shows the commands, Ctrl-D exits"));
            boolean open = true;
            while (open) {
                open = readAndRun(reader, shell);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean readAndRun(LineReader reader, Shell shell) {
        Line prompt = shell.prompt(cluster);
        try {
            String text = reader.readLine(console.abilities().colour() ? prompt.coloured() : prompt.plain() + " ");
            for (String statement : Statements.cut(text).all()) {
                if (!runOne(shell, statement)) {
                    return false;
                }
            }
            return true;
        } catch (UserInterruptException e) {
            return true; // Ctrl-C drops the line
        } catch (EndOfFileException e) {
            return false;
        }
    }

    private boolean runOne(Shell shell, String statement) {
        try {
            return shell.run(statement);
        } catch (DriverException | Failure e) {
            String text = e instanceof DriverException d ? CqlRun.text(d) : ThrowableText.of(e);
            console.print(Line.of(Style.BAD, "error: ").and(text));
            return true;
        }
    }

    private static boolean more(LineReader reader) {
        try {
            return !reader.readLine("-- Enter for more, q to stop -- ").strip().equalsIgnoreCase("q");
        } catch (UserInterruptException | EndOfFileException e) {
            return false;
        }
    }

    /** Input is complete when its last statement is. */
    private static final class UntilSemicolon implements Parser {
        private final DefaultParser words = new DefaultParser()
                .quoteChars(new char[0])
                .escapeChars(new char[0])
                .eofOnUnclosedQuote(false);

        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            boolean accepting = context == ParseContext.ACCEPT_LINE || context == ParseContext.UNSPECIFIED;
            boolean answer = line.isBlank() || line.strip().equalsIgnoreCase("q");
            if (accepting && !answer && !Statements.cut(line).rest().isBlank()) {
                throw new EOFError(-1, -1, "the statement is not complete", ";");
            }
            return words.parse(line, cursor, context);
        }
    }
}
