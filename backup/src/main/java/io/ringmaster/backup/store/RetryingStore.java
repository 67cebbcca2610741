package io.ringmaster.backup.store;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Repeats requests that failed for a passing reason, until they have failed for a given time. Pauses are between 0.2
 * and 30 s, at random, so that clients do not return to a store all at once. An interrupt ends a pause.
 */
public final class RetryingStore implements BackupStore {
    private static final Duration SHORTEST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    /** Damage on the wire is rare; content that is damaged at its source stays so. */
    private static final int ATTEMPTS_WITH_DAMAGE = 3;

    /**
     * What the requests of a store wait for.
     *
     * @param since the first failure after the last success
     * @param until when the request that failed last is given up
     */
    public record Outage(Instant since, Instant until, StoreException last) {}

    /** Sleeps; in tests it turns the clock. */
    interface Pause {
        void sleep(Duration duration) throws InterruptedException;
    }

    private final BackupStore store;
    private final Duration patience;
    private final Clock clock;
    private final Pause pause;
    private volatile @Nullable Outage outage;

    public RetryingStore(BackupStore store, Duration patience) {
        this(store, patience, Clock.systemUTC(), duration -> Thread.sleep(duration.toMillis()));
    }

    RetryingStore(BackupStore store, Duration patience, Clock clock, Pause pause) {
        this.store = store;
        this.patience = patience;
        this.clock = clock;
        this.pause = pause;
    }

    /** Empty while requests succeed. */
    public Optional<Outage> outage() {
        return Optional.ofNullable(outage);
    }

    @Override
    public void put(String key, Content content) throws IOException, InterruptedException {
        repeat(() -> {
            store.put(key, content);
            return true;
        });
    }

    @Override
    public int get(String key, long offset, byte[] into) throws IOException, InterruptedException {
        return repeat(() -> store.get(key, offset, into));
    }

    @Override
    public Optional<ObjectInfo> stat(String key) throws IOException, InterruptedException {
        return repeat(() -> store.stat(key));
    }

    @Override
    public List<ObjectInfo> list(String prefix, @Nullable String after, int limit)
            throws IOException, InterruptedException {
        return repeat(() -> store.list(prefix, after, limit));
    }

    @Override
    public void delete(Collection<String> keys) throws IOException, InterruptedException {
        repeat(() -> {
            store.delete(keys);
            return true;
        });
    }

    @Override
    public void close() {
        store.close();
    }

    @Override
    public String toString() {
        return store.toString();
    }

    private interface StoreRequest<T> {
        T send() throws IOException, InterruptedException;
    }

    private <T> T repeat(StoreRequest<T> request) throws IOException, InterruptedException {
        Instant until = null;
        for (int attempt = 1; ; attempt++) {
            try {
                T answer = request.send();
                outage = null;
                return answer;
            } catch (StoreException e) {
                Instant now = clock.instant();
                until = until == null ? now.plus(patience) : until;
                Duration wait = jitter(attempt);
                boolean damaged = e.reason() == StoreException.Reason.DAMAGED && attempt >= ATTEMPTS_WITH_DAMAGE;
                if (!e.reason().isPassing() || damaged || now.plus(wait).isAfter(until)) {
                    throw e;
                }
                Outage known = outage;
                outage = new Outage(known == null ? now : known.since(), until, e);
                pause.sleep(wait);
            }
        }
    }

    /** Between the shortest pause and twice that of the attempt before: 0.4 s, 0.8 s, up to 30 s. */
    private static Duration jitter(int attempt) {
        long most = Math.min(LONGEST.toMillis(), SHORTEST.toMillis() << Math.min(attempt, 20));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(SHORTEST.toMillis(), most + 1));
    }
}
