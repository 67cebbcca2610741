package io.ringmaster.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.record.Change;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.SampleRecords;
import io.ringmaster.ports.Store;
import io.ringmaster.ports.StoreContract;
import io.ringmaster.ports.StoreUnavailableException;
import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryStoreTest extends StoreContract {
    private final InMemoryStore store = new InMemoryStore();

    @Override
    protected Store open() {
        return store;
    }

    @Override
    protected long elect() {
        return store.nextEpoch();
    }

    private void put(long version) {
        store.commit(1, List.of(new Change.Put(SampleRecords.cluster("rides", version))));
    }

    @Test
    void a_failure_before_the_commit_changes_nothing_and_one_after_it_everything() {
        store.failNext(InMemoryStore.Failure.BEFORE_COMMIT, InMemoryStore.Failure.AFTER_COMMIT);
        assertThatThrownBy(() -> put(1)).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.load()).isEmpty();
        assertThatThrownBy(() -> put(2)).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.load()).hasSize(1);
        put(3);
        assertThat(store.commits()).isEqualTo(2);
    }

    @Test
    void failures_are_injected_into_changes_of_records_of_the_pool_too() {
        PoolRecords records = store.poolRecords(1);
        store.failNext(InMemoryStore.Failure.BEFORE_COMMIT, InMemoryStore.Failure.AFTER_COMMIT);
        assertThatThrownBy(() -> records.put("id", new byte[] {1})).isInstanceOf(StoreUnavailableException.class);
        assertThat(records.get("id")).isEmpty();
        assertThatThrownBy(() -> records.put("id", new byte[] {2})).isInstanceOf(StoreUnavailableException.class);
        assertThat(records.get("id")).contains(new byte[] {2});
        records.remove("id");
        assertThat(store.commits()).isZero();
    }

    @Test
    void while_unavailable_it_neither_reads_nor_writes() {
        store.setAvailable(false);
        assertThatThrownBy(store::load).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> put(1)).isInstanceOf(StoreUnavailableException.class);
        PoolRecords pool = store.poolRecords(1);
        assertThatThrownBy(() -> pool.put("id", new byte[] {1})).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> pool.get("id")).isInstanceOf(StoreUnavailableException.class);
        store.setAvailable(true);
        assertThat(store.load()).isEmpty();
    }
}
