package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.junit.jupiter.api.Test;
import org.rocksdb.WriteOptions;

class TablesFileTest {
    @Test
    void itExistsWhileRocksDBHasTables() {
        InProcess.start();
        Path file = Path.of(DatabaseDescriptor.getAllDataFileLocations()[0]).resolve("rocksdb.tables");
        Engine engine = InProcess.engine();
        RocksDBTable table = RocksDBTable.open(
                engine,
                CreateTableStatement.parse("CREATE TABLE first (p int PRIMARY KEY)", "ks")
                        .build());
        assertThat(Files.exists(file))
                .as("tables of other tests")
                .isEqualTo(!engine.tables().isEmpty());
        try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            table.current().merge(List.of(new MergeOperand(new byte[] {1}, new byte[] {0}, 1)), options);
        }
        assertThat(file).exists();
        table.discard(table.current());
        assertThat(Files.exists(file)).isEqualTo(!engine.tables().isEmpty());
    }
}
