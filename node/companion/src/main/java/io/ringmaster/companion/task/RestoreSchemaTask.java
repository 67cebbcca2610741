package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.FailureText;
import io.ringmaster.companion.task.RestoreFiles.Element;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.schema.AlterSchemaStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Makes the schema of a backup, with the ids of its tables, because their files are known by them, and with the columns
 * that were dropped, because files may still have them. Existing elements are left alone, so it can be repeated.
 *
 * <p>Each {@code gc_grace_seconds} is raised by the argument {@code grace_seconds}: the deletions of the backup have
 * aged meanwhile, and must reach all replicas before any of them drops one.
 */
final class RestoreSchemaTask implements TaskBody {
    private final RestoreFiles files;
    private final long graceSeconds;

    /** @throws IllegalArgumentException an argument is missing or wrong */
    RestoreSchemaTask(Map<String, String> args) {
        this(RestoreFiles.of(args), args);
    }

    RestoreSchemaTask(RestoreFiles files, Map<String, String> args) {
        this.files = files;
        String grace = args.getOrDefault("grace_seconds", "");
        if (!grace.matches("\\d{1,10}")) {
            throw new IllegalArgumentException("grace_seconds '" + grace + "' must be a number of seconds");
        }
        graceSeconds = Long.parseLong(grace);
    }

    @Override
    public String run(Progress progress) throws Exception {
        files.requireFetched();
        Path mark = files.schemaMade();
        Optional<String> made = RestoreFiles.read(mark);
        if (made.isPresent()) {
            return made.get();
        }
        List<Element> elements = files.schema();
        progress.expect(elements.size(), "statements");
        for (int i = 0; i < elements.size(); i++) {
            if (progress.isStopped()) {
                return i + " of " + elements.size() + " parts of the schema are made";
            }
            int done = i;
            progress.at("makes " + elements.get(i).label(), () -> done);
            make(elements.get(i));
        }
        String message = "a schema of " + elements.size() + " parts, gc_grace_seconds raised by " + graceSeconds;
        RestoreFiles.write(mark, message);
        return message;
    }

    @Override
    public void stop() {}

    private void make(Element element) {
        Optional<TableId> id = element.statements().stream()
                .flatMap(s -> CqlText.id(s).stream())
                .findFirst()
                .map(TableId::fromString);
        for (String statement : element.statements()) {
            if (!isDropped(id, CqlText.droppedColumn(statement))) {
                execute(element, CqlText.unlessThere(CqlText.withGrace(statement, graceSeconds)));
            }
        }
        if (id.isPresent() && Schema.instance.getTableMetadata(id.get()) == null) {
            throw new IllegalStateException(element.label() + " is there with another id than " + id.get()
                    + " of the backup -> restore into a cluster without it");
        }
    }

    private static boolean isDropped(Optional<TableId> id, Optional<String> column) {
        TableMetadata table = id.map(Schema.instance::getTableMetadata).orElse(null);
        return table != null
                && column.isPresent()
                && table.droppedColumns.containsKey(ByteBufferUtil.bytes(column.get()));
    }

    /** Who may write to a location must not be able to make roles, or to change other keyspaces. */
    private static void requireSchemaOf(Element element, String statement) {
        CQLStatement parsed = QueryProcessor.getStatement(statement, ClientState.forInternalCalls());
        if (!(parsed instanceof AlterSchemaStatement schema)
                || !element.keyspace().equals(ColumnIdentifier.maybeQuote(schema.keyspace()))) {
            throw new IllegalStateException(
                    "it does not belong to the schema of keyspace " + element.keyspace() + ": the backup was changed");
        }
    }

    private static void execute(Element element, String statement) {
        try {
            requireSchemaOf(element, statement);
            QueryProcessor.process(statement, ConsistencyLevel.LOCAL_ONE);
        } catch (RuntimeException e) {
            IllegalStateException named = new IllegalStateException(
                    "Cassandra refused to make " + element.label() + ": " + FailureText.of(e));
            named.addSuppressed(e); // people see the message of the innermost cause
            throw named;
        }
    }
}
