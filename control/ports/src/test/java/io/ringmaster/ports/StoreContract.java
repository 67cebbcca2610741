package io.ringmaster.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.StoredRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of every {@link Store}. */
@Timeout(120)
public abstract class StoreContract extends PoolRecordsContract {
    protected static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");

    private static StoredRecord cluster(String name, long version) {
        return SampleRecords.cluster(name, version);
    }

    private static StoredRecord audit(long number, String what) {
        return new AuditRecord(number, AT, "alice", what, "done", null);
    }

    private static Change put(StoredRecord record) {
        return new Change.Put(record);
    }

    @Test
    void a_new_store_is_empty() {
        try (Store store = open()) {
            assertThat(store.load()).isEmpty();
        }
    }

    @Test
    void committed_records_survive_a_reopen() {
        List<StoredRecord> records = SampleRecords.oneOfEachType();
        try (Store store = open()) {
            store.commit(elect(), records.stream().map(StoreContract::put).toList());
        }
        try (Store again = open()) {
            assertThat(again.load()).containsExactlyInAnyOrderElementsOf(records);
        }
    }

    @Test
    void records_come_in_key_order() {
        try (Store store = open()) {
            store.commit(elect(), List.of(put(cluster("zebra", 1)), put(audit(1, "x")), put(cluster("ant", 1))));
            assertThat(store.load())
                    .extracting(r -> r.key().path())
                    .containsExactly("audit/1", "clusters/ant", "clusters/zebra");
        }
    }

    @Test
    void a_put_replaces_and_a_remove_removes() {
        try (Store store = open()) {
            long epoch = elect();
            store.commit(epoch, List.of(put(cluster("rides", 1)), put(cluster("trips", 1))));
            store.commit(
                    epoch,
                    List.of(
                            put(cluster("rides", 2)),
                            new Change.Remove(new RecordKey.OfCluster(new ClusterName("trips")))));
            assertThat(store.load()).containsExactly(cluster("rides", 2));
        }
    }

    @Test
    void removing_an_unknown_key_changes_nothing() {
        try (Store store = open()) {
            store.commit(
                    elect(),
                    List.of(put(cluster("rides", 1)), new Change.Remove(new RecordKey.OfPlan(PlanId.of("dc1-9")))));
            assertThat(store.load()).containsExactly(cluster("rides", 1));
        }
    }

    @Test
    void the_later_of_two_changes_of_one_key_wins() {
        try (Store store = open()) {
            store.commit(
                    elect(),
                    List.of(
                            put(cluster("rides", 1)),
                            put(cluster("rides", 2)),
                            put(cluster("trips", 1)),
                            new Change.Remove(new RecordKey.OfCluster(new ClusterName("trips")))));
            assertThat(store.load()).containsExactly(cluster("rides", 2));
        }
    }

    @Test
    void an_older_epoch_is_refused_and_changes_nothing() {
        try (Store store = open()) {
            long old = elect();
            store.commit(old, List.of(put(cluster("rides", 1))));
            elect();
            assertThatThrownBy(() -> store.commit(
                            old,
                            List.of(
                                    put(cluster("rides", 2)),
                                    new Change.Remove(new RecordKey.OfCluster(new ClusterName("trips"))))))
                    .isInstanceOf(StaleEpochException.class);
            assertThat(store.load()).containsExactly(cluster("rides", 1));
        }
    }

    @Test
    void an_older_epoch_is_refused_through_a_second_client_too() {
        try (Store mine = open();
                Store theirs = open()) {
            long old = elect();
            mine.commit(old, List.of(put(cluster("rides", 1))));
            long newer = elect();
            theirs.commit(newer, List.of(put(cluster("rides", 2))));
            assertThatThrownBy(() -> mine.commit(old, List.of(put(cluster("rides", 3)))))
                    .isInstanceOf(StaleEpochException.class);
            assertThat(mine.load()).containsExactly(cluster("rides", 2));
        }
    }

    @Test
    void an_empty_commit_checks_the_epoch() {
        try (Store store = open()) {
            long old = elect();
            store.commit(old, List.of());
            elect();
            assertThatThrownBy(() -> store.commit(old, List.of())).isInstanceOf(StaleEpochException.class);
        }
    }

    @Test
    void a_record_of_three_megabytes_comes_back_whole_and_can_shrink_again() {
        StringBuilder noise = new StringBuilder();
        Random random = new Random(7);
        while (noise.length() < 3 << 20) {
            noise.append(Long.toHexString(random.nextLong()));
        }
        try (Store store = open()) {
            long epoch = elect();
            store.commit(epoch, List.of(put(audit(1, noise.toString()))));
            assertThat(store.load()).containsExactly(audit(1, noise.toString()));
            store.commit(epoch, List.of(put(audit(1, "small"))));
            assertThat(store.load()).containsExactly(audit(1, "small"));
            store.commit(epoch, List.of(put(audit(1, noise.toString()))));
            store.commit(epoch, List.of(new Change.Remove(new RecordKey.OfAudit(1))));
            assertThat(store.load()).isEmpty();
        }
    }

    @Test
    void five_thousand_changes_are_one_commit() {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            changes.add(put(new CordonRecord(new MachineName("machine-" + i), "because of " + "x".repeat(200))));
        }
        try (Store store = open()) {
            store.commit(elect(), changes);
            assertThat(store.load()).hasSize(5_000);
        }
    }

    @Test
    void a_big_commit_of_an_older_epoch_leaves_no_trace() {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            changes.add(put(new CordonRecord(new MachineName("machine-" + i), "x".repeat(1000))));
        }
        try (Store store = open()) {
            long old = elect();
            elect();
            assertThatThrownBy(() -> store.commit(old, changes)).isInstanceOf(StaleEpochException.class);
            assertThat(store.load()).isEmpty();
        }
    }
}
