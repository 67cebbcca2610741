package io.ringmaster.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.record.Change;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The contract of {@link Store#poolRecords}; a part of {@link StoreContract}. */
abstract class PoolRecordsContract {
    private static final String KEY = "mesos.framework-id";

    /** Opens the store of this test method; a second call opens a second client of the same store. */
    protected abstract Store open();

    /** Starts a new epoch, as an election does, and returns it. */
    protected abstract long elect();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void a_pool_has_no_record_before_it_puts_one() {
        try (Store store = open()) {
            assertThat(store.poolRecords(elect()).get(KEY)).isEmpty();
        }
    }

    @Test
    void a_record_of_the_pool_is_replaced_and_removed_and_may_come_back() {
        try (Store store = open()) {
            PoolRecords records = store.poolRecords(elect());
            records.put(KEY, bytes("one"));
            assertThat(records.get(KEY)).contains(bytes("one"));
            records.put(KEY, bytes("two"));
            assertThat(records.get(KEY)).contains(bytes("two"));
            records.remove(KEY);
            assertThat(records.get(KEY)).isEmpty();
            records.put(KEY, bytes("three"));
            assertThat(records.get(KEY)).contains(bytes("three"));
        }
    }

    @Test
    void removing_an_unknown_record_of_the_pool_changes_nothing() {
        try (Store store = open()) {
            PoolRecords records = store.poolRecords(elect());
            records.put(KEY, bytes("one"));
            records.remove("other");
            assertThat(records.get(KEY)).contains(bytes("one"));
        }
    }

    @Test
    void records_of_the_pool_survive_a_reopen() {
        try (Store store = open()) {
            PoolRecords records = store.poolRecords(elect());
            records.put(KEY, bytes("one"));
            records.put("2nd", bytes("two"));
        }
        try (Store again = open()) {
            PoolRecords records = again.poolRecords(elect());
            assertThat(records.get(KEY)).contains(bytes("one"));
            assertThat(records.get("2nd")).contains(bytes("two"));
        }
    }

    @Test
    void a_value_of_the_pool_is_any_bytes_up_to_the_limit() {
        byte[] largest = new byte[PoolRecords.MAX_BYTES];
        new Random(7).nextBytes(largest);
        try (Store store = open()) {
            PoolRecords records = store.poolRecords(elect());
            for (byte[] value : List.of(new byte[0], new byte[1], bytes("B x 1"), new byte[] {0x1f, -117}, largest)) {
                records.put(KEY, value);
                assertThat(records.get(KEY)).contains(value);
            }
        }
    }

    @Test
    void a_value_of_the_pool_does_not_change_with_the_array_of_the_caller() {
        try (Store store = open()) {
            PoolRecords records = store.poolRecords(elect());
            byte[] value = bytes("one");
            records.put(KEY, value);
            value[0] = 'x';
            records.get(KEY).orElseThrow()[0] = 'y';
            assertThat(records.get(KEY)).contains(bytes("one"));
        }
    }

    @Test
    void the_pool_of_a_former_leader_reads_but_changes_nothing() {
        try (Store mine = open();
                Store theirs = open()) {
            PoolRecords former = mine.poolRecords(elect());
            former.put(KEY, bytes("one"));
            PoolRecords present = theirs.poolRecords(elect());
            assertThatThrownBy(() -> former.put(KEY, bytes("late"))).isInstanceOf(StaleEpochException.class);
            assertThatThrownBy(() -> former.put("new", bytes("late"))).isInstanceOf(StaleEpochException.class);
            assertThatThrownBy(() -> former.remove(KEY)).isInstanceOf(StaleEpochException.class);
            assertThatThrownBy(() -> former.remove("absent")).isInstanceOf(StaleEpochException.class);
            assertThat(present.get(KEY)).contains(bytes("one"));
            assertThat(present.get("new")).isEmpty();
            present.put(KEY, bytes("two"));
            assertThat(former.get(KEY)).contains(bytes("two"));
            present.remove(KEY);
            assertThat(former.get(KEY)).isEmpty();
        }
    }

    @Test
    void a_key_that_is_no_name_is_refused_with_the_allowed_form() {
        try (Store store = open()) {
            PoolRecords records = store.poolRecords(elect());
            for (String key : List.of("", ".", "..", "A", "a/b", "../epoch", "a b", "a".repeat(62))) {
                assertThatThrownBy(() -> records.put(key, bytes("one")))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'" + key + "'")
                        .hasMessageContaining(PoolRecords.KEY);
                assertThatThrownBy(() -> records.get(key)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> records.remove(key)).isInstanceOf(IllegalArgumentException.class);
            }
            String longest = "a".repeat(61);
            records.put(longest, bytes("one"));
            assertThat(records.get(longest)).contains(bytes("one"));
        }
    }

    @Test
    void a_value_above_the_limit_is_refused_and_the_record_keeps_its_value() {
        try (Store store = open()) {
            PoolRecords records = store.poolRecords(elect());
            records.put(KEY, bytes("one"));
            assertThatThrownBy(() -> records.put(KEY, new byte[PoolRecords.MAX_BYTES + 1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(KEY)
                    .hasMessageContaining("65537")
                    .hasMessageContaining("65536");
            assertThat(records.get(KEY)).contains(bytes("one"));
        }
    }

    @Test
    void records_of_the_pool_are_apart_from_the_committed_ones() {
        try (Store store = open()) {
            long epoch = elect();
            PoolRecords records = store.poolRecords(epoch);
            records.put("clusters", bytes("one"));
            assertThat(store.load()).isEmpty();
            store.commit(epoch, List.of(new Change.Put(SampleRecords.cluster("rides", 1))));
            records.put("clusters", bytes("two"));
            store.commit(epoch, List.of(new Change.Put(SampleRecords.cluster("rides", 2))));
            assertThat(store.load()).containsExactly(SampleRecords.cluster("rides", 2));
            assertThat(records.get("clusters")).contains(bytes("two"));
        }
    }

    @Test
    void a_refused_put_does_not_disturb_the_commits_of_the_leader() {
        try (Store store = open()) {
            PoolRecords former = store.poolRecords(elect());
            long epoch = elect();
            store.commit(epoch, List.of(new Change.Put(SampleRecords.cluster("rides", 1))));
            assertThatThrownBy(() -> former.put(KEY, bytes("late"))).isInstanceOf(StaleEpochException.class);
            assertThatCode(() -> store.commit(epoch, List.of())).doesNotThrowAnyException();
            assertThat(store.load()).containsExactly(SampleRecords.cluster("rides", 1));
        }
    }
}
