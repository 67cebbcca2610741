package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.FailureText;
import io.ringmaster.companion.task.RestoreFiles.Element;
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

/** Makes parts of the schema of a backup. Those that exist are left alone, so it can be repeated. */
final class SchemaMaker {
    private final long graceSeconds;

    /**
     * @param args with {@code grace_seconds}, which is added to each {@code gc_grace_seconds} above 0
     * @throws IllegalArgumentException the argument is missing or wrong
     */
    SchemaMaker(Map<String, String> args) {
        String grace = args.getOrDefault("grace_seconds", "");
        if (!grace.matches("\\d{1,10}")) {
            throw new IllegalArgumentException("grace_seconds '" + grace + "' must be a number of seconds");
        }
        graceSeconds = Long.parseLong(grace);
    }

    long graceSeconds() {
        return graceSeconds;
    }

    /** @throws IllegalStateException Cassandra refuses the element, or has another one of its name */
    void make(Element element) {
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
