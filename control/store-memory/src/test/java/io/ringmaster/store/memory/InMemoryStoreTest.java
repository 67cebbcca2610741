package io.ringmaster.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.record.Change;
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
    void while_unavailable_it_neither_loads_nor_commits() {
        store.setAvailable(false);
        assertThatThrownBy(store::load).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> put(1)).isInstanceOf(StoreUnavailableException.class);
        store.setAvailable(true);
        assertThat(store.load()).isEmpty();
    }
}
