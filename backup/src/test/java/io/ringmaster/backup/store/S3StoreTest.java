package io.ringmaster.backup.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.ringmaster.backup.store.StoreException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real server. */
class S3StoreTest extends BackupStoreContract {
    private static final byte[] LARGE = Contents.random(16 << 20);

    private static VersityServer server;

    @TempDir
    private Path directory;

    private String bucket;
    private BackupStore store;

    @BeforeAll
    static void start() throws Exception {
        // not in /tmp, which may have no extended attributes
        server = VersityServer.start(Files.createTempDirectory(Path.of("target").toAbsolutePath(), "versitygw"));
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        bucket = server.newBucket();
        store = open(bucket + "/some/prefix", VersityServer.KEY, VersityServer.SECRET);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    BackupStore store() {
        return store;
    }

    private BackupStore open(String bucketAndPrefix, String key, String secret) throws Exception {
        return StoreOpener.open(TestLocations.location(directory, server.url(), bucketAndPrefix, key, secret));
    }

    @Test
    void a_prefix_hides_what_is_beside_it() throws Exception {
        store.put("inside", Contents.of("x"));
        try (BackupStore all = open(bucket, VersityServer.KEY, VersityServer.SECRET)) {
            all.put("some/prefixed", Contents.of("x"));
            assertThat(all.list("", null, 10))
                    .extracting(ObjectInfo::key)
                    .containsExactly("some/prefix/inside", "some/prefixed");
        }
        assertThat(keys("", null, 10)).containsExactly("inside");
    }

    @Test
    void a_content_with_another_hash_is_refused_as_damaged() throws Exception {
        byte[] flipped = LARGE.clone();
        flipped[1_000_000] ^= 1;
        Content damaged = Content.of(flipped, flipped.length, Contents.of(LARGE).sha256());
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.put("key", damaged))
                .returns(Reason.DAMAGED, StoreException::reason);
        assertThat(store.stat("key")).isEmpty();
    }

    @Test
    void a_wrong_secret_is_denied_and_not_printed() throws Exception {
        refusesAll(
                open(bucket, VersityServer.KEY, "wrong"),
                Reason.DENIED,
                "main (s3://" + bucket + ") refuses the " + "access key ...ey");
    }

    @Test
    void an_unknown_key_is_denied_and_not_a_missing_object() throws Exception {
        refusesAll(open(bucket, "nobody", "wrong"), Reason.DENIED, "...dy");
    }

    @Test
    void a_missing_bucket_is_no_missing_object() throws Exception {
        refusesAll(
                open("nowhere", VersityServer.KEY, VersityServer.SECRET),
                Reason.NO_BUCKET,
                "main (s3://nowhere): the bucket does not exist");
    }

    private static void refusesAll(BackupStore refused, Reason reason, String message) {
        try (refused) {
            for (Attempt attempt : List.<Attempt>of(
                    () -> refused.put("large", Contents.of(LARGE)),
                    () -> refused.put("key", Contents.of("x")),
                    () -> refused.get("key", 0, new byte[1]),
                    () -> refused.stat("key"),
                    () -> refused.list("", null, 1),
                    () -> refused.delete(List.of("key")))) {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(attempt::run)
                        .returns(reason, StoreException::reason)
                        .withMessageContaining(message)
                        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("wrong"));
            }
        }
    }

    @Test
    void a_changed_key_counts_at_once() throws Exception {
        try (BackupStore changing = open(bucket, VersityServer.KEY, "wrong")) {
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> changing.list("", null, 1));
            TestLocations.writeKey(directory, VersityServer.KEY, VersityServer.SECRET);
            assertThat(changing.list("", null, 1)).isEmpty();
        }
    }

    private interface Attempt {
        void run() throws Exception;
    }
}
