package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.store.IngestFile;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An ingestion into a table whose write buffer has much data. */
class IngestionTest {
    private static final int ROWS = 20_000;

    private final Random random = new Random(1);
    private RocksDBMemtable ingesting;
    private RocksDBMemtable other;

    @BeforeEach
    void create() {
        InProcess.start();
        ingesting = create("ingesting");
        other = create("other");
    }

    private static RocksDBMemtable create(String table) {
        TableMetadata metadata = CreateTableStatement.parse(
                        "CREATE TABLE " + table + " (p int PRIMARY KEY, v blob)", "ks")
                .build();
        return (RocksDBMemtable) InProcess.rocksDB(metadata);
    }

    @AfterEach
    void drop() {
        InProcess.discard(ingesting);
        InProcess.discard(other);
    }

    private static DecoratedKey key(RocksDBMemtable memtable, int key) {
        return memtable.metadata().partitioner.decorateKey(ByteBufferUtil.bytes(key));
    }

    private static void put(RocksDBMemtable memtable, int key, byte[] value) {
        TableMetadata metadata = memtable.metadata();
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(Clustering.EMPTY);
        row.addCell(BufferCell.live(metadata.getColumn(ByteBufferUtil.bytes("v")), key, ByteBuffer.wrap(value)));
        try (OpOrder.Group group = new OpOrder().start()) {
            memtable.put(
                    PartitionUpdate.singleRowUpdate(metadata, key(memtable, key), row.build()),
                    UpdateTransaction.NO_OP,
                    group);
        }
    }

    @Test
    void itDoesNotStopTheWritesToOtherTables() throws Exception {
        for (int i = 0; i < ROWS; i++) {
            byte[] value = new byte[1000];
            random.nextBytes(value);
            put(ingesting, i, value);
        }
        byte[] key = Keys.header(Keys.partition(key(ingesting, 0)));
        byte[] record = ingesting.store().get(key);
        assertThat(record).isNotNull();
        AtomicBoolean isIngested = new AtomicBoolean();
        CountDownLatch isWriting = new CountDownLatch(1);
        CompletableFuture<Long> longestWrite = CompletableFuture.supplyAsync(() -> {
            long longest = 0;
            for (int i = 0; !isIngested.get(); i++) {
                long start = System.nanoTime();
                put(other, i % 100, new byte[10]);
                longest = Math.max(longest, System.nanoTime() - start);
                isWriting.countDown();
            }
            return longest;
        });
        isWriting.await();
        long start = System.nanoTime();
        try (IngestFile file = ingesting.store().ingestFile("test")) {
            file.add(key, record, 1);
            ingesting.store().ingest(List.of(file));
        }
        long duration = System.nanoTime() - start;
        isIngested.set(true);
        assertThat(longestWrite.get())
                .as("nanoseconds of the longest write during an ingestion of %d ns", duration)
                .isLessThan(duration / 2);
        assertThat(ingesting.store().get(key)).isEqualTo(record);
    }
}
