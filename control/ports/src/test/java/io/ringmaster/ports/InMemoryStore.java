package io.ringmaster.ports;

import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.StoredRecord;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/**
 * A store that lives as long as the object: give the same one to the next server to play a restart. The newest epoch is the
 * highest that was elected or committed with.
 */
public final class InMemoryStore implements Store {
    /** How a call fails. */
    public enum Failure {
        /** Nothing was changed. */
        BEFORE_COMMIT,
        /** Everything was changed, but the caller does not learn it. */
        AFTER_COMMIT
    }

    private final TreeMap<String, StoredRecord> records = new TreeMap<>();
    private final Deque<Failure> failures = new ArrayDeque<>();
    private boolean available = true;
    private long newestEpoch;
    private long commits;

    /** The next commits fail so, one each. */
    public synchronized void failNext(Failure... next) {
        failures.addAll(List.of(next));
    }

    /** While unavailable, {@code load} and {@code commit} throw and change nothing. */
    public synchronized void setAvailable(boolean available) {
        this.available = available;
    }

    /** Makes a new epoch the newest, as an election does. */
    public synchronized long nextEpoch() {
        return ++newestEpoch;
    }

    /** How many commits were made. */
    public synchronized long commits() {
        return commits;
    }

    @Override
    public synchronized Collection<StoredRecord> load() {
        checkAvailable("load");
        return List.copyOf(records.values());
    }

    @Override
    public synchronized void commit(long epoch, List<Change> changes) {
        checkAvailable("commit");
        Failure failure = failures.poll();
        if (failure == Failure.BEFORE_COMMIT) {
            throw new StoreUnavailableException("commit: injected before", new IllegalStateException("injected"));
        }
        if (epoch < newestEpoch) {
            throw new StaleEpochException(epoch, newestEpoch);
        }
        newestEpoch = epoch;
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                records.put(put.key().path(), put.record());
            } else {
                records.remove(change.key().path());
            }
        }
        commits++;
        if (failure == Failure.AFTER_COMMIT) {
            throw new StoreUnavailableException("commit: injected after", new IllegalStateException("injected"));
        }
    }

    private void checkAvailable(String doing) {
        if (!available) {
            throw new StoreUnavailableException(doing + ": set unavailable", new IllegalStateException("injected"));
        }
    }

    /** Keeps the records. */
    @Override
    public void close() {}
}
