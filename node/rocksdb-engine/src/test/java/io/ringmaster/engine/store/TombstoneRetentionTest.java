package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.encoding.PartitionRecord;
import java.util.List;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tombstones that a late write keeps. */
class TombstoneRetentionTest {
    private static final int GRACE_SECONDS = 1000;
    private static final long OLD = 5;

    private RocksDBTable table;

    @BeforeEach
    void create() {
        InProcess.start();
        TableMetadata metadata = CreateTableStatement.parse(
                        "CREATE TABLE retained (p int, c int, PRIMARY KEY (p, c)) WITH gc_grace_seconds = "
                                + GRACE_SECONDS,
                        "ks")
                .build();
        table = RocksDBTable.open(InProcess.engine(), metadata);
    }

    @AfterEach
    void drop() {
        table.discard(table.current());
    }

    private void update() {
        table.retention().update(GRACE_SECONDS, () -> Long.MAX_VALUE);
    }

    /** As in the replay of the commit log. */
    @Test
    void aWriteBeforeTheFirstUpdateMayBeLate() {
        table.retention().beforeWrite(OLD);
        update();
        assertThat(table.retention().limit()).isEqualTo(OLD);
    }

    /** The deletion of a partition is in another record than its rows, so that a compaction does not merge them. */
    @Test
    void aLateRowCountsUntilASweepThatStartedAfterIt() throws Exception {
        long now = FBUtilities.nowInSeconds();
        table.retention().beforeWrite(new PartitionRecord(DeletionTime.build(now * 1_000_000, now), List.of(), null));
        update();
        table.retention().beforeWrite(OLD);
        InProcess.awaitNextSecond();
        table.compact(table.current());
        assertThat(table.retention().limit()).as("merged, and not swept").isEqualTo(OLD);
        table.retention().markSwept(FBUtilities.nowInSeconds());
        assertThat(table.retention().limit()).isEqualTo(Long.MAX_VALUE);
    }

    /** A row that is written after the sweep may be shadowed by any deletion that is younger than that. */
    @Test
    void aSweepAllowsToDropTheDeletionsThatWereOldEnoughWhenItStarted() {
        update();
        long start = FBUtilities.nowInSeconds();
        table.retention().markSwept(start);
        assertThat(table.current().purgeRules().sweptBefore()).isEqualTo(start - GRACE_SECONDS);
    }
}
