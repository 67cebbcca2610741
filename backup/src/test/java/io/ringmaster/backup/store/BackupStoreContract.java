package io.ringmaster.backup.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringmaster.backup.store.StoreException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store does. */
abstract class BackupStoreContract {
    /** An empty store, the same during one test. */
    abstract BackupStore store();

    @Test
    void returns_what_was_put() throws Exception {
        byte[] large = Contents.random(5_000_000);
        store().put("blobs/ab/large", Contents.of(large));
        store().put("small", Contents.of("s"));
        store().put("empty", Contents.of(""));
        byte[] into = new byte[large.length + 10];
        assertThat(store().get("blobs/ab/large", 0, into)).isEqualTo(large.length);
        assertThat(into).startsWith(large);
        assertThat(text("small")).isEqualTo("s");
        assertThat(text("empty")).isEmpty();
    }

    @Test
    void reads_any_range() throws Exception {
        store().put("range", Contents.of("0123456789"));
        assertThat(text("range", 2, 5)).isEqualTo("23456");
        assertThat(text("range", 8, 5)).isEqualTo("89");
        assertThat(text("range", 9, 1)).isEqualTo("9");
        assertThat(text("range", 10, 5)).isEmpty();
        assertThat(text("range", 100, 5)).isEmpty();
        assertThat(text("range", 0, 0)).isEmpty();
    }

    @Test
    void a_put_replaces() throws Exception {
        store().put("key", Contents.of("a longer first content"));
        store().put("key", Contents.of("second"));
        assertThat(text("key")).isEqualTo("second");
        assertThat(store().stat("key").orElseThrow().size()).isEqualTo(6);
        assertThat(keys("", null, 10)).containsExactly("key");
    }

    @Test
    void a_content_that_fails_or_has_another_length_stores_nothing_and_its_failure_is_thrown() throws Exception {
        store().put("key", Contents.of("first"));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> store().put("key", failing(new IOException("no such disk"))))
                .withMessage("no such disk");
        byte[] bytes = Contents.random(100_000);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> store().put("key", promising(100_001, bytes)))
                .isNotInstanceOf(StoreException.class)
                .withMessage("the content has only 100000 bytes, but should have 100001");
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> store().put("key", promising(99_999, bytes)));
        assertThat(text("key")).isEqualTo("first");
        assertThat(keys("", null, 10)).containsExactly("key");
    }

    @Test
    void a_put_on_an_interrupted_thread_stores_nothing() throws Exception {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> store().put("key", Contents.of(Contents.random(1_000_000))));
        assertThat(Thread.interrupted()).isFalse();
        assertThat(store().stat("key")).isEmpty();
    }

    @Test
    void a_missing_object_is_missing() throws Exception {
        store().put("a/b", Contents.of("x"));
        for (String key : List.of("nothing", "a/c", "a")) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store().get(key, 0, new byte[1]))
                    .withMessageContaining(key)
                    .returns(Reason.MISSING, StoreException::reason);
            assertThat(store().stat(key)).isEmpty();
        }
        assertThat(store().list("nothing/", null, 10)).isEmpty();
    }

    @Test
    void an_object_has_its_size_and_the_time_of_its_put() throws Exception {
        store().put("a/b", Contents.of("four"));
        ObjectInfo info = store().stat("a/b").orElseThrow();
        assertThat(info.key()).isEqualTo("a/b");
        assertThat(info.size()).isEqualTo(4);
        assertThat(Duration.between(info.modified(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        assertThat(store().list("", null, 10).get(0).size()).isEqualTo(4);
    }

    @Test
    void lists_in_the_order_of_keys_from_any_place() throws Exception {
        List<String> ordered = List.of(
                "a-b", "a.b", "a/-", "a/b.c", "a/b/c", "a/b/d/e", "a0", "ab", "b/0.1", "b/0/1", "b/01", "b/Z", "b/a");
        List<String> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(3));
        for (String key : shuffled) {
            store().put(key, Contents.of(key));
        }
        assertThat(keys("", null, 100)).isEqualTo(ordered);
        for (String prefix : List.of("a", "a/", "a/b", "b/0", "b/0/", "z")) {
            List<String> wanted =
                    ordered.stream().filter(k -> k.startsWith(prefix)).toList();
            assertThat(keys(prefix, null, 100)).as(prefix).isEqualTo(wanted);
            for (String after : List.of("a/b.c", "a/b/", "a0", "b/0/1", "A", "zz")) {
                List<String> rest =
                        wanted.stream().filter(k -> k.compareTo(after) > 0).toList();
                assertThat(keys(prefix, after, 100))
                        .as(prefix + " after " + after)
                        .isEqualTo(rest);
                assertThat(keys(prefix, after, 2)).isEqualTo(rest.subList(0, Math.min(2, rest.size())));
            }
        }
    }

    @Test
    void a_list_and_a_delete_of_more_than_one_request() throws Exception {
        List<String> keys = IntStream.range(0, 1_203)
                .mapToObj(i -> String.format("many/%02d/%04d", i % 7, i))
                .sorted()
                .toList();
        for (String key : keys) {
            store().put(key, Contents.of("x"));
        }
        assertThat(keys("many/", null, 5_000)).isEqualTo(keys);
        assertThat(keys("many/", keys.get(99), 1_050)).isEqualTo(keys.subList(100, 1_150));
        store().delete(keys);
        assertThat(keys("", null, 10)).isEmpty();
    }

    @Test
    void deletes_the_named_objects_alone_and_does_not_mind_missing_ones() throws Exception {
        for (String key : List.of("a", "ab", "a.b", "c/d/e", "c/f")) {
            store().put(key, Contents.of("x"));
        }
        store().delete(List.of("a", "nothing", "c/d/e", "c/d/nothing", "c", "x/y"));
        store().delete(List.of());
        assertThat(keys("", null, 10)).containsExactly("a.b", "ab", "c/f");
        store().put("c/d/e", Contents.of("again"));
        assertThat(text("c/d/e")).isEqualTo("again");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a/../b", "a..b", "a b", "ä", "a\\b"
            })
    void only_keys_are_keys(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> store().put(text, Contents.of("x")));
        assertThatIllegalArgumentException().isThrownBy(() -> store().get(text, 0, new byte[1]));
        assertThatIllegalArgumentException().isThrownBy(() -> store().stat(text));
        assertThatIllegalArgumentException().isThrownBy(() -> store().delete(List.of(text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "../", "a/../", "a//", "a b"})
    void only_starts_of_keys_are_prefixes(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> store().list(text, null, 1));
    }

    final String text(String key) throws Exception {
        return text(key, 0, 1_000);
    }

    private String text(String key, long offset, int length) throws Exception {
        byte[] into = new byte[length];
        return new String(into, 0, store().get(key, offset, into), UTF_8);
    }

    final List<String> keys(String prefix, String after, int limit) throws Exception {
        return store().list(prefix, after, limit).stream().map(ObjectInfo::key).toList();
    }

    private static Content failing(IOException failure) {
        return new TestContent(10, Contents.of("0123456789").sha256()) {
            @Override
            public InputStream open() throws IOException {
                throw failure;
            }
        };
    }

    private static Content promising(long length, byte[] bytes) {
        Content honest = Contents.of(bytes);
        return new TestContent(length, honest.sha256()) {
            @Override
            public InputStream open() throws IOException {
                return honest.open();
            }
        };
    }

    private abstract static class TestContent implements Content {
        private final long length;
        private final String sha256;

        private TestContent(long length, String sha256) {
            this.length = length;
            this.sha256 = sha256;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public String sha256() {
            return sha256;
        }
    }
}
