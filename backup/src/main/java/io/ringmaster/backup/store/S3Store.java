package io.ringmaster.backup.store;

import io.ringmaster.backup.store.StoreException.Reason;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects of an S3 bucket. A request is interrupted while its bytes flow; a stalled one ends at its timeout, or when
 * another thread closes the store.
 */
public final class S3Store implements BackupStore {
    private static final int OBJECTS_A_REQUEST = 1_000;
    private static final int CHUNK_BYTES = 128 << 10;

    private final S3Connection connection;
    private final String bucket;
    /** Empty, or with a slash at the end. */
    private final String prefix;

    private final AtomicBoolean reached = new AtomicBoolean();

    S3Store(S3Connection connection, String bucket, String prefix) {
        this.connection = connection;
        this.bucket = bucket;
        this.prefix = prefix;
    }

    @Override
    public void put(String key, Content content) throws IOException, InterruptedException {
        ObjectKeys.key(key);
        reach();
        try (var body = new ContentReader(content)) {
            try {
                connection
                        .client()
                        .putObject(
                                put -> put.bucket(bucket)
                                        .key(prefix + key)
                                        .overrideConfiguration(config -> config.putHeader(
                                                        ContentSigner.CONTENT_SHA256, content.sha256())
                                                .apiCallAttemptTimeout(
                                                        connection.times().put(content.length()))),
                                RequestBody.fromContentProvider(
                                        () -> opened(body), content.length(), "application/octet-stream"));
            } catch (SdkException e) {
                requireNoInterrupt(e);
                body.rethrow();
                throw explained(connection.failure("put " + key, e));
            } catch (UncheckedIOException e) {
                requireNoInterrupt(e);
                body.rethrow();
                throw e;
            }
        }
    }

    private static InputStream opened(ContentReader body) {
        try {
            return body.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A store may refuse a put before it reads the content, and close. A small request then gets the reason. */
    private StoreException explained(StoreException failed) throws InterruptedException {
        if (failed.reason() != Reason.UNREACHABLE) {
            return failed;
        }
        try {
            page("", null, null, 1);
        } catch (StoreException refused) {
            if (!refused.reason().isPassing()) {
                refused.addSuppressed(failed);
                return refused;
            }
        }
        return failed;
    }

    /** The first request is a small one: its refusal has a reason, and its answer corrects the clock of the SDK. */
    private void reach() throws StoreException, InterruptedException {
        if (!reached.get()) {
            page("", null, null, 1);
            reached.set(true);
        }
    }

    @Override
    public int get(String key, long offset, byte[] into) throws IOException, InterruptedException {
        String request = "get " + ObjectKeys.key(key);
        if (into.length == 0) {
            // HTTP has no empty range
            if (stat(key).isEmpty()) {
                throw new StoreException(Reason.MISSING, connection.text(request, "no such object"), null);
            }
            return 0;
        }
        reach();
        String range = "bytes=" + offset + "-" + (offset + into.length - 1);
        try (var in = connection
                .client()
                .getObject(get -> get.bucket(bucket).key(prefix + key).range(range))) {
            boolean whole = false;
            try {
                int read = read(in, into);
                requireWhole(request, in.response(), offset, into.length, read);
                whole = true;
                return read;
            } finally {
                if (!whole) {
                    in.abort(); // close() would read the rest
                }
            }
        } catch (SdkException e) {
            requireNoInterrupt(e);
            if (e instanceof S3Exception answer && answer.statusCode() == 416) {
                return 0;
            }
            throw connection.failure(request, e);
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(Reason.UNREACHABLE, connection.text(request, ThrowableText.of(e)), e);
        }
    }

    private static int read(ResponseInputStream<GetObjectResponse> in, byte[] into)
            throws IOException, InterruptedException {
        int read = 0;
        while (read < into.length) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            int more = in.read(into, read, Math.min(CHUNK_BYTES, into.length - read));
            if (more < 0) {
                break;
            }
            read += more;
        }
        return read;
    }

    private void requireWhole(String request, GetObjectResponse answer, long offset, int wanted, int read)
            throws StoreException {
        String range = answer.contentRange();
        if (range == null ? offset > 0 : !range.startsWith("bytes " + offset + "-")) {
            throw new StoreException(Reason.REFUSED, connection.text(request, "the store sent another range"), null);
        }
        long sent = Math.min(wanted, answer.contentLength());
        if (read < sent) {
            throw new StoreException(
                    Reason.DAMAGED, connection.text(request, read + " bytes came instead of " + sent), null);
        }
    }

    /** A list, not a HEAD: refusals of a HEAD have no body, so that they give no reason. */
    @Override
    public Optional<ObjectInfo> stat(String key) throws IOException, InterruptedException {
        return list(ObjectKeys.key(key), null, 1).stream()
                .filter(object -> object.key().equals(key))
                .findFirst();
    }

    @Override
    public List<ObjectInfo> list(String keyPrefix, @Nullable String after, int limit)
            throws IOException, InterruptedException {
        ObjectKeys.prefix(keyPrefix);
        var found = new ArrayList<ObjectInfo>();
        String last = after;
        String token = null;
        while (found.size() < limit) {
            ListObjectsV2Response page =
                    page(keyPrefix, last, token, Math.min(OBJECTS_A_REQUEST, limit - found.size()));
            List<S3Object> objects = page.contents();
            for (S3Object object : objects) {
                String key = object.key().substring(prefix.length());
                last = key;
                // others may use the bucket too
                if (ObjectKeys.isKey(key)) {
                    found.add(new ObjectInfo(key, object.size(), object.lastModified()));
                }
            }
            if (!page.isTruncated()) {
                break;
            }
            token = objects.isEmpty() ? page.nextContinuationToken() : null;
            if (objects.isEmpty() && token == null) {
                throw noList(keyPrefix, "the list goes on, but has no keys and no token");
            }
        }
        return found;
    }

    /**
     * One page of a list.
     *
     * @param token where the list goes on after a page without keys; otherwise null
     * @throws StoreException also if the answer is none: an empty body, or one of a proxy, is no empty list
     */
    private ListObjectsV2Response page(String keyPrefix, @Nullable String after, @Nullable String token, int limit)
            throws StoreException, InterruptedException {
        try {
            ListObjectsV2Response page = connection.client().listObjectsV2(list -> list.bucket(bucket)
                    .prefix(prefix + keyPrefix)
                    .startAfter(after == null ? null : prefix + after)
                    .continuationToken(token)
                    .maxKeys(limit));
            if (page.isTruncated() == null) {
                throw noList(keyPrefix, "the answer does not say whether the list is whole");
            }
            return page;
        } catch (SdkException e) {
            requireNoInterrupt(e);
            throw connection.failure(("list " + keyPrefix).strip(), e);
        }
    }

    private StoreException noList(String keyPrefix, String why) {
        return new StoreException(Reason.UNREACHABLE, connection.text(("list " + keyPrefix).strip(), why), null);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException, InterruptedException {
        List<ObjectIdentifier> objects = keys.stream()
                .map(key -> ObjectIdentifier.builder()
                        .key(prefix + ObjectKeys.key(key))
                        .build())
                .toList();
        reach();
        for (int from = 0; from < objects.size(); from += OBJECTS_A_REQUEST) {
            deleteBatch(objects.subList(from, Math.min(objects.size(), from + OBJECTS_A_REQUEST)));
        }
    }

    private void deleteBatch(List<ObjectIdentifier> objects) throws StoreException, InterruptedException {
        String request = "delete " + objects.size() + " objects";
        try {
            List<S3Error> errors = connection
                    .client()
                    .deleteObjects(delete ->
                            delete.bucket(bucket).delete(d -> d.objects(objects).quiet(true)))
                    .errors();
            for (S3Error error : errors) {
                if (!"NoSuchKey".equals(error.code())) {
                    throw connection.failure("delete " + error.key(), error);
                }
            }
        } catch (SdkException e) {
            requireNoInterrupt(e);
            throw connection.failure(request, e);
        }
    }

    private static void requireNoInterrupt(RuntimeException e) throws InterruptedException {
        if (Thread.interrupted() || e instanceof AbortedException) {
            throw new InterruptedException(ThrowableText.of(e));
        }
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public String toString() {
        return connection.name();
    }
}
