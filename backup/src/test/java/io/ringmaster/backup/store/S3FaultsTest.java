package io.ringmaster.backup.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.ringmaster.backup.store.StoreException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client sees of a store or a network that misbehaves. */
@Timeout(30)
class S3FaultsTest {
    private static final Content LARGE = Contents.of(Contents.random(16 << 20));

    @TempDir
    private Path directory;

    private MisbehavingEndpoint endpoint;
    private BackupStore store;

    @BeforeEach
    void open() throws Exception {
        endpoint = new MisbehavingEndpoint();
        store = open(S3Times.DEFAULT);
    }

    private BackupStore open(S3Times times) throws Exception {
        return StoreOpener.open(
                TestLocations.location(directory, endpoint.url(), "bucket/prefix", "AKEY", "sesame"), times);
    }

    /** A store with short times, after a request of another: the first one of a process is slow. */
    private BackupStore impatient() throws Exception {
        store.list("", null, 1);
        return open(TestLocations.IMPATIENT);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        endpoint.close();
    }

    @Test
    void the_hash_of_the_content_is_signed_and_sent() throws Exception {
        endpoint.others(request -> {
            request.readBody();
            request.answer("200 OK", "");
        });
        store.put("key", LARGE);
        var headers = endpoint.requests("PUT").get(0).headers();
        assertThat(headers).containsEntry("x-amz-content-sha256", LARGE.sha256());
        assertThat(headers.get("authorization")).contains("SignedHeaders=host;", ";x-amz-content-sha256;");
        assertThat(headers).containsEntry("content-length", "" + LARGE.length());
    }

    @Test
    void a_delete_of_several_has_a_checksum_because_stores_demand_one() throws Exception {
        endpoint.others(request -> {
            request.readBody();
            request.answer("200 OK", "<DeleteResult></DeleteResult>");
        });
        store.delete(List.of("a", "b"));
        assertThat(endpoint.requests("POST").get(0).headers().keySet())
                .containsAnyOf("content-md5", "x-amz-checksum-crc32");
    }

    @Test
    void a_delete_that_is_refused_for_one_object_is_an_error() {
        endpoint.others(request -> {
            request.readBody();
            request.answer(
                    "200 OK",
                    "<DeleteResult><Error><Key>prefix/b</Key><Code>AccessDenied</Code><Message>locked</Message></Error>"
                            + "</DeleteResult>");
        });
        refused(() -> store.delete(List.of("a", "b")), Reason.DENIED, "delete prefix/b: AccessDenied: locked");
    }

    @Test
    void throttling_is_a_passing_reason() {
        endpoint.others(request -> request.error("503 Slow Down", "SlowDown"));
        refused(() -> store.get("key", 0, new byte[1]), Reason.THROTTLED, "get key: SlowDown, status 503: no reason");
        refused(() -> store.put("key", Contents.of("x")), Reason.THROTTLED, "put key: SlowDown");
    }

    @Test
    void a_store_that_is_busy_for_a_while_is_waited_for() throws Exception {
        var refusals = new AtomicInteger(5);
        endpoint.others(request -> {
            request.readBody();
            if (refusals.decrementAndGet() >= 0) {
                request.error("503 Slow Down", "SlowDown");
            } else {
                request.answer("200 OK", "");
            }
        });
        new RetryingStore(store, Duration.ofSeconds(20)).put("key", Contents.of("x"));
        assertThat(endpoint.requests("PUT")).hasSize(6);
    }

    @Test
    void a_get_that_an_orderly_close_cuts_short_is_an_error() {
        endpoint.others(request ->
                request.send("206 Partial Content", 1_000, "x".repeat(500), "Content-Range: bytes 0-999/1000"));
        refused(() -> store.get("key", 0, new byte[1_000]), Reason.UNREACHABLE, "get key: ");
    }

    @Test
    void a_get_that_a_reset_cuts_short_is_an_error() {
        endpoint.others(request -> {
            request.send("206 Partial Content", 1_000, "x".repeat(500), "Content-Range: bytes 0-999/1000");
            request.socket().setSoLinger(true, 0);
        });
        refused(() -> store.get("key", 0, new byte[1_000]), Reason.UNREACHABLE, "get key: ");
    }

    @Test
    void a_get_that_stalls_ends() throws Exception {
        endpoint.others(request -> {
            request.send("206 Partial Content", 1_000, "x".repeat(500), "Content-Range: bytes 0-999/1000");
            Thread.sleep(20_000);
        });
        try (BackupStore impatient = impatient()) {
            refused(() -> impatient.get("key", 0, new byte[1_000]), Reason.UNREACHABLE, "get key: ");
        }
    }

    @Test
    void another_range_than_the_wanted_one_is_refused() {
        endpoint.others(request -> request.answer("200 OK", "whole object"));
        refused(() -> store.get("key", 5, new byte[3]), Reason.REFUSED, "another range");
    }

    @Test
    void a_put_that_stalls_ends() throws Exception {
        endpoint.others(request -> Thread.sleep(20_000));
        try (BackupStore impatient = impatient()) {
            refused(() -> impatient.put("key", LARGE), Reason.UNREACHABLE, "put key: ");
        }
        assertThat(endpoint.requests("PUT")).hasSize(3);
    }

    @Test
    void a_close_ends_a_put_that_stalls() throws Exception {
        var started = new CountDownLatch(1);
        endpoint.others(request -> {
            started.countDown();
            Thread.sleep(20_000);
        });
        var failure = new AtomicReference<Exception>();
        var executor = Executors.newSingleThreadExecutor();
        executor.execute(() -> {
            try {
                store.put("key", LARGE);
            } catch (Exception e) {
                failure.set(e);
            }
        });
        started.await();
        store.close();
        executor.shutdown();
        assertThat(executor.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        assertThat(failure.get()).isNotNull();
    }

    @Test
    void a_put_that_is_refused_before_its_content_is_read_has_the_reason_of_the_refusal() throws Exception {
        store.list("", null, 1);
        endpoint.others(request -> {}); // closes
        endpoint.list(request -> request.error("403 Forbidden", "AccessDenied"));
        refused(() -> store.put("key", LARGE), Reason.DENIED, "refuses the access key ...EY");
    }

    @Test
    void a_put_that_is_cut_by_a_store_that_answers_otherwise_may_be_repeated() {
        endpoint.others(request -> {});
        refused(() -> store.put("key", LARGE), Reason.UNREACHABLE, "put key: ");
    }

    @Test
    void a_clock_that_is_wrong_is_corrected_by_the_first_answer() throws Exception {
        ZonedDateTime theirs = ZonedDateTime.now(ZoneOffset.UTC).plusHours(2);
        String hour = DateTimeFormatter.ofPattern("yyyyMMdd'T'HH").format(theirs);
        endpoint.list(request -> {
            if (request.headers().get("x-amz-date").startsWith(hour)) {
                request.answer("200 OK", MisbehavingEndpoint.NO_KEYS);
            } else {
                request.error("403 Forbidden", "RequestTimeTooSkewed", date(theirs));
            }
        });
        endpoint.others(request -> {
            request.readBody();
            request.answer("200 OK", "");
        });
        store.put("key", LARGE);
        assertThat(endpoint.requests("PUT").get(0).headers().get("x-amz-date")).startsWith(hour);
    }

    @Test
    void a_clock_that_cannot_be_corrected_is_reported_with_its_difference() {
        endpoint.list(request -> request.error(
                "403 Forbidden",
                "RequestTimeTooSkewed",
                date(ZonedDateTime.now(ZoneOffset.UTC).plusMinutes(20).plusSeconds(30))));
        refused(
                () -> store.list("", null, 1),
                Reason.CLOCK,
                "the clock of this machine is 20 min ",
                " s behind main (s3://bucket/prefix), which refuses its requests -> set its clock");
    }

    @Test
    void a_store_without_room_is_full() {
        endpoint.others(request -> {
            request.readBody();
            request.error("507 Insufficient Storage", "XMinioStorageFull");
        });
        refused(
                () -> store.put("key", Contents.of("x")),
                Reason.FULL,
                "put key: XMinioStorageFull, status 507",
                "-> make room there");
    }

    @Test
    void an_answer_that_is_no_list_is_no_empty_list() {
        for (String answer : List.of("", "<html><body>log in</body></html>", "<ListBucketResult></ListBucketResult>")) {
            endpoint.list(request -> request.answer("200 OK", answer));
            refused(() -> store.list("", null, 5), Reason.UNREACHABLE, "list: ");
        }
    }

    @Test
    void a_list_goes_on_after_a_page_without_keys() throws Exception {
        String page = "<ListBucketResult><IsTruncated>%s</IsTruncated>%s</ListBucketResult>";
        String last = "<Contents><Key>prefix/a</Key><Size>1</Size>"
                + "<LastModified>2026-11-24T04:00:00.000Z</LastModified></Contents>";
        endpoint.list(request -> request.answer(
                "200 OK",
                request.path().contains("continuation-token=next")
                        ? page.formatted("false", last)
                        : page.formatted("true", "<NextContinuationToken>next</NextContinuationToken>")));
        assertThat(store.list("", null, 5)).extracting(ObjectInfo::key).containsExactly("a");
        endpoint.list(request -> request.answer("200 OK", page.formatted("true", "")));
        refused(() -> store.list("", null, 5), Reason.UNREACHABLE, "the list goes on, but has no keys and no token");
    }

    @Test
    void nobody_listens() throws IOException {
        endpoint.close();
        refused(() -> store.list("", null, 1), Reason.UNREACHABLE, "Connection refused");
    }

    private static String date(ZonedDateTime time) {
        return "Date: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(time);
    }

    private interface Attempt {
        void run() throws Exception;
    }

    private static void refused(Attempt attempt, Reason reason, String... messages) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(attempt::run)
                .satisfies(e -> assertThat(e.getMessage()).contains(messages).doesNotContain("sesame"))
                .returns(reason, StoreException::reason);
    }
}
