package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.ports.PoolRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The epoch in the state directory outlives the pool and belongs to one store. */
class LocalPoolEpochTest extends LocalPoolFixture {
    /** A crash after the put would leave the epochs of the former store, and no later open would forget them. */
    @Test
    void the_epochs_of_another_store_are_forgotten_before_the_store_knows_the_directory() throws IOException {
        Files.writeString(state.resolve("epoch"), "50");
        pool = new LocalPool(LocalPoolTest.settings(state, StandInExecutor.WITH_DAEMON));
        PoolRecords down = new PoolRecords() {
            @Override
            public Optional<byte[]> get(String key) {
                return Optional.empty();
            }

            @Override
            public void put(String key, byte[] value) {
                throw new IllegalStateException("killed here");
            }

            @Override
            public void remove(String key) {}
        };
        assertThatThrownBy(() -> pool.start(facts, down)).hasMessage("killed here");
        assertThat(state.resolve("epoch")).doesNotExist();
    }

    @Test
    void a_store_that_was_set_back_makes_the_pool_unavailable_until_the_epoch_is_deleted() throws IOException {
        open();
        pool.reserve(new Command.Reserve(allocation), 50);
        await(RESERVED);
        pool.close();
        facts.clear();
        open();
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 3);
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 3);
        assertThat(facts.all(Fact.PoolUnavailable.class)).singleElement().satisfies(f -> assertThat(f.reason())
                .contains("the store was set back"));
        Files.delete(state.resolve("epoch"));
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 3);
        await(RUNNING);
        release(3);
    }

    @Test
    void a_new_store_counts_its_epochs_from_the_start() {
        open();
        pool.reserve(new Command.Reserve(allocation), 50);
        await(RESERVED);
        assertThat(state.resolve("epoch")).hasContent("50");
        pool.close();
        facts.clear();
        records.remove("directory-id");
        open();
        reserve();
        assertThat(state.resolve("epoch")).hasContent("1");
    }

    @Test
    void a_pool_that_cannot_open_leaves_its_directory_to_the_next() throws IOException {
        Files.writeString(state.resolve("epoch"), "many");
        assertThatThrownBy(() -> open())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("epoch holds no number; delete it");
        Files.delete(state.resolve("epoch"));
        open();
    }
}
