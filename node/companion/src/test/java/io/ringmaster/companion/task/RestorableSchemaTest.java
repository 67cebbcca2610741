package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TriggerMetadata;
import org.apache.cassandra.schema.Triggers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RestorableSchemaTest {
    private static TableMetadata table;
    private static Map<String, String> statement;

    @BeforeAll
    static void prepare() {
        table = TableMetadata.builder("trips", "place")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", Int32Type.instance)
                .triggers(Triggers.of(List.of(TriggerMetadata.create("log", "org.example.Log"))))
                .build();
        statement = Map.of("statement", "CREATE TABLE trips.place (k int PRIMARY KEY) WITH ID = " + table.id + ";");
    }

    @Test
    void a_table_that_no_statement_makes_is_refused() {
        assertThatCode(() -> RestorableSchema.require(List.of(table), List.of(statement)))
                .doesNotThrowAnyException();
        // as Cassandra 5.0 writes it
        Map<String, String> omitted = Map.of(
                "statement",
                "/*\nWarning: Table trips.place omitted because it has constructs not compatible with CQL (was created via"
                        + " legacy API).\n\nApproximate structure, for reference:\n(this should not be used to reproduce"
                        + " this schema)\n\n" + statement.get("statement") + "\n*/");
        assertThatThrownBy(() -> RestorableSchema.require(List.of(table), List.of(omitted)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "no statement of DESCRIBE SCHEMA makes trips.place, as of one with COMPACT STORAGE");
    }

    @Test
    void what_a_restore_does_not_make_is_named() {
        assertThat(RestorableSchema.leftOut(List.of(table))).containsExactly("trigger log of trips.place");
        TableMetadata plain = table.unbuild().triggers(Triggers.none()).build();
        assertThat(RestorableSchema.leftOut(List.of(plain))).isEmpty();
    }
}
