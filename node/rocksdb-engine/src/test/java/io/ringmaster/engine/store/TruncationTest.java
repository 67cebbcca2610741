package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.encoding.ColumnNumbers;
import java.util.List;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.WriteOptions;

/** A crash during a truncation. */
class TruncationTest {
    private static final String NAME = "ks/truncated-0123456789abcdef0123456789abcdef";
    private static final byte[] KEY = {1};
    /** Cassandra's record of a truncation: its time. */
    private static final long BEFORE = 1;

    private Engine engine;
    private ColumnNumbers columns;
    private MaxTimestamps timestamps;
    private TableStores stores;

    @BeforeEach
    void create() {
        InProcess.start();
        engine = InProcess.engine();
        TableMetadata metadata = CreateTableStatement.parse("CREATE TABLE truncated (p int PRIMARY KEY)", "ks")
                .build();
        columns = new ColumnNumbers(List.of(), metadata, names -> {});
        timestamps = new MaxTimestamps(TimestampBounds.NONE, () -> 0, text -> {});
        stores = open();
        write(stores.current());
        TableStore old = stores.current();
        stores.renewForTruncation(BEFORE);
        stores.discard(old);
    }

    @AfterEach
    void drop() {
        for (TableStore store : stores.exporting()) {
            stores.discard(store);
        }
        stores.discard(stores.current());
    }

    private TableStores open() {
        return new TableStores(
                engine,
                NAME,
                false,
                generation ->
                        new TableStore(engine, TableStores.family(NAME, generation), generation, columns, timestamps));
    }

    private void write(TableStore store) {
        try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            store.merge(
                    List.of(new MergeOperand(KEY, new byte[] {0, 0, 0, 13, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, 1)),
                    options);
        }
    }

    private TableStores restart(long record) {
        TableStores.endTruncations(engine, NAME, () -> record);
        return open();
    }

    @Test
    void aTruncationThatIsNotRecordedIsUndone() {
        stores = restart(BEFORE);
        assertThat(stores.current().isEmpty()).isTrue();
        assertThat(stores.exporting()).singleElement().satisfies(old -> assertThat(old.get(KEY))
                .isNotNull());
        assertThat(TimestampBounds.read(String.valueOf(engine.readCatalogue("newest:" + NAME))))
                .isEqualTo(TimestampBounds.UNKNOWN);
    }

    @Test
    void aRecordedTruncationIsNotUndone() {
        stores = restart(BEFORE + 1);
        assertThat(stores.hasOthers()).isFalse();
        assertThat(stores.current().isEmpty()).isTrue();
        assertThat(engine.families(NAME + ".")).isEmpty();
    }

    @Test
    void theDataIsDeletedOnceTheTruncationIsRecorded() {
        stores.releaseTruncated(BEFORE);
        assertThat(engine.families(NAME + ".")).hasSize(1);
        stores.releaseTruncated(BEFORE + 1);
        assertThat(engine.families(NAME + ".")).isEmpty();
    }
}
