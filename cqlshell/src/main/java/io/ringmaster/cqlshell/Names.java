package io.ringmaster.cqlshell;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.RelationMetadata;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes CQL keywords and the names of the schema. */
final class Names implements Completer {
    private static final List<String> KEYWORDS = List.of(
            "ADD",
            "ALLOW FILTERING",
            "ALTER",
            "AND",
            "APPLY BATCH",
            "AS",
            "ASC",
            "BEGIN BATCH",
            "BY",
            "CLUSTERING",
            "CONSISTENCY",
            "CREATE",
            "DELETE",
            "DESC",
            "DESCRIBE",
            "DISTINCT",
            "DROP",
            "EXISTS",
            "EXIT",
            "EXPAND",
            "FROM",
            "HELP",
            "IF",
            "IN",
            "INDEX",
            "INSERT",
            "INTO",
            "JSON",
            "KEY",
            "KEYSPACE",
            "KEYSPACES",
            "LIMIT",
            "MATERIALIZED VIEW",
            "NOT",
            "NULL",
            "ON",
            "ORDER",
            "PAGING",
            "PARTITION",
            "PER",
            "PRIMARY KEY",
            "REPLICATION",
            "ROLE",
            "SELECT",
            "SET",
            "SOURCE",
            "TABLE",
            "TABLES",
            "TIMESTAMP",
            "TOKEN",
            "TRACING",
            "TRUNCATE",
            "TTL",
            "TYPE",
            "UPDATE",
            "USE",
            "USING",
            "VALUES",
            "VIEW",
            "WHERE",
            "WITH");

    private final CqlSession session;

    Names(CqlSession session) {
        this.session = session;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        String word = line.word();
        boolean lower = !word.isEmpty() && word.equals(word.toLowerCase(Locale.ROOT));
        KEYWORDS.stream()
                .map(k -> lower ? k.toLowerCase(Locale.ROOT) : k)
                .forEach(k -> candidates.add(new Candidate(k)));
        session.getMetadata().getKeyspaces().values().forEach(keyspace -> {
            candidates.add(new Candidate(keyspace.getName().asCql(true)));
            relations(keyspace)
                    .forEach(r -> candidates.add(new Candidate(
                            keyspace.getName().asCql(true) + "." + r.getName().asCql(true))));
        });
        session.getKeyspace()
                .flatMap(k -> session.getMetadata().getKeyspace(k))
                .ifPresent(keyspace -> relations(keyspace).forEach(r -> {
                    candidates.add(new Candidate(r.getName().asCql(true)));
                    r.getColumns().keySet().forEach(c -> candidates.add(new Candidate(c.asCql(true))));
                }));
    }

    private static Stream<RelationMetadata> relations(KeyspaceMetadata keyspace) {
        return Stream.concat(keyspace.getTables().values().stream(), keyspace.getViews().values().stream());
    }
}
