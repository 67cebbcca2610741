package io.ringmaster.cqlshell;

import io.ringmaster.cli.screen.Line;
import java.util.List;
import java.util.stream.Stream;

/** Commands of the shell beside CQL. */
final class Help {
    static final List<Line> LINES = Stream.of(
                    "Any CQL statement, ended by a semicolon; it can span several lines.",
                    "  DESCRIBE KEYSPACES | TABLES | KEYSPACE k | TABLE k.t | CLUSTER | SCHEMA;",
                    "  USE keyspace;",
                    "Commands of this shell:",
                    "  CONSISTENCY [level]   show or set it; default LOCAL_QUORUM",
                    "  PAGING [ON|OFF|n]     one page at a time, of n rows",
                    "  TRACING [ON|OFF]      show the trace of each request",
                    "  EXPAND [ON|OFF]       a line for each column instead of a table",
                    "  SOURCE 'file'         run the statements of a file",
                    "  HELP, CLEAR, EXIT     Ctrl-D exits, too",
                    "Tab completes keywords, keyspaces, tables, columns. -o json and -o csv print rows for programs.")
            .map(Line::of)
            .toList();

    private Help() {}
}
