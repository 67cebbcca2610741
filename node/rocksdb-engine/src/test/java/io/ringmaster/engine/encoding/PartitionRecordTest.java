package io.ringmaster.engine.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PartitionRecordTest {
    @BeforeAll
    static void start() {
        InProcess.start();
    }

    private static TableMetadata table(String columns) {
        return CreateTableStatement.parse("CREATE TABLE t (k int, c int, " + columns + ", PRIMARY KEY (k, c))", "ks")
                .build();
    }

    private static Row.Builder row(TableMetadata table, long timestamp) {
        Row.Builder row = BTreeRow.unsortedBuilder();
        row.newRow(Clustering.make(Int32Type.instance.decompose(1)));
        row.addPrimaryKeyLivenessInfo(LivenessInfo.create(timestamp, 0));
        for (ColumnMetadata column : table.regularColumns()) {
            row.addCell(BufferCell.live(column, timestamp, Int32Type.instance.decompose(7)));
        }
        return row;
    }

    @Test
    void an_inserted_row_with_every_column_is_whole() {
        TableMetadata table = table("a int, b int");
        assertThat(PartitionRecord.of(row(table, 5).build()).isWhole(table)).isTrue();
    }

    @Test
    void a_row_that_was_written_before_a_column_was_added_is_not_whole() {
        PartitionRecord stored =
                PartitionRecord.of(row(table("a int, b int"), 5).build());
        assertThat(stored.isWhole(table("a int, b int, c2 int"))).isFalse();
        assertThat(stored.isWhole(table("a int, c2 int")))
                .as("the same number of columns, but different ones")
                .isFalse();
    }

    @Test
    void a_row_with_a_column_of_another_timestamp_or_a_deletion_is_not_whole() {
        TableMetadata table = table("a int, b int");
        Row.Builder older = row(table, 5);
        older.addPrimaryKeyLivenessInfo(LivenessInfo.create(6, 0));
        assertThat(PartitionRecord.of(older.build()).isWhole(table)).isFalse();
        Row.Builder deleted = row(table, 5);
        deleted.addRowDeletion(Row.Deletion.regular(DeletionTime.build(4, 100)));
        assertThat(PartitionRecord.of(deleted.build()).isWhole(table)).isFalse();
    }

    @Test
    void a_table_with_a_collection_has_no_whole_rows() {
        TableMetadata table = table("a int, m map<int, int>");
        assertThat(PartitionRecord.of(row(table("a int"), 5).build()).isWhole(table))
                .isFalse();
    }
}
