package io.ringmaster.store.memory;

import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.ports.StaleEpochException;
import io.ringmaster.ports.Store;
import io.ringmaster.ports.StoreUnavailableException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/**
 * A store that lives as long as the object. A restarted server receives the same object. The newest epoch is the highest one
 * of all elections and commits.
 */
public final class InMemoryStore implements Store {
    /** How a commit fails. */
    public enum Failure {
        /** The commit changes nothing. */
        BEFORE_COMMIT,
        /** The commit changes everything, but throws. */
        AFTER_COMMIT
    }

    private final TreeMap<String, StoredRecord> records = new TreeMap<>();
    private final Deque<Failure> failures = new ArrayDeque<>();
    private boolean available = true;
    private long newestEpoch;
    private long commits;

    /** Injects failures, one into each of the next commits. */
    public synchronized void failNext(Failure... next) {
        failures.addAll(List.of(next));
    }

    /** While unavailable, {@code load} and {@code commit} throw and change nothing. */
    public synchronized void setAvailable(boolean available) {
        this.available = available;
    }

    /** Starts a new epoch, as an election does. */
    public synchronized long nextEpoch() {
        return ++newestEpoch;
    }

    /** The number of commits that changed the store. */
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
