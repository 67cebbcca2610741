package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.junit.jupiter.api.Test;
import org.rocksdb.WriteOptions;

/** A compaction that an operator requested. */
class CompactionTest {
    private static final int RECORDS = 16;
    private static final int RECORD_BYTES = 1 << 20;
    private static final String RUNNING = "rocksdb.num-running-compactions";

    private final Random random = new Random(1);

    /** RocksDB does not keep a column family while it compacts it: without a handle it would read freed memory. */
    @Test
    void aTableThatIsDroppedMeanwhileExistsUntilItIsDone() throws Exception {
        InProcess.start();
        Engine engine = InProcess.engine();
        RocksDBTable table = RocksDBTable.open(
                engine,
                CreateTableStatement.parse("CREATE TABLE compacted (p int PRIMARY KEY)", "ks")
                        .build());
        TableStore store = table.current();
        fill(store);
        CompletableFuture<Void> compaction = CompletableFuture.runAsync(() -> table.compact(store));
        while (!compaction.isDone() && engine.property(RUNNING) == 0) {
            Thread.sleep(1);
        }
        table.discard(store);
        boolean exists = engine.family(store.family()) != null;
        assertThat(exists || engine.property(RUNNING) == 0)
                .as("exists, or is compacted")
                .isTrue();
        compaction.get(1, TimeUnit.MINUTES);
        assertThat(engine.family(store.family())).isNull();
    }

    private void fill(TableStore store) {
        try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] value = new byte[RECORD_BYTES];
                random.nextBytes(value);
                byte[] key = ByteBuffer.allocate(4).putInt(i).array();
                store.merge(List.of(new MergeOperand(key, value, i)), options);
            }
        }
        store.flush();
    }
}
