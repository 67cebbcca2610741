package io.ringmaster.store.memory;

import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.StaleEpochException;
import io.ringmaster.ports.Store;
import io.ringmaster.ports.StoreUnavailableException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A store that lives as long as the object. A restarted server receives the same object. The newest epoch is the
 * highest one of all elections and writes.
 */
public final class InMemoryStore implements Store {
    /** How a commit, or a change of the pool's records, fails. */
    public enum Failure {
        /** It changes nothing. */
        BEFORE_COMMIT,
        /** It changes everything, but throws. */
        AFTER_COMMIT
    }

    private final TreeMap<String, StoredRecord> records = new TreeMap<>();
    private final Map<String, byte[]> poolRecords = new HashMap<>();
    private final Deque<Failure> failures = new ArrayDeque<>();
    private boolean available = true;
    private long newestEpoch;
    private long commits;

    /** Injects failures, one into each of the next commits and changes of the pool's records. */
    public synchronized void failNext(Failure... next) {
        failures.addAll(List.of(next));
    }

    /** While unavailable, every read and write throws and changes nothing. */
    public synchronized void setAvailable(boolean available) {
        this.available = available;
    }

    /** Starts a new epoch, as an election does. */
    public synchronized long nextEpoch() {
        return ++newestEpoch;
    }

    /** The number of commits that changed the store, without changes of the pool's records. */
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
        write("commit", epoch, () -> {
            for (Change change : changes) {
                if (change instanceof Change.Put put) {
                    records.put(put.key().path(), put.record());
                } else {
                    records.remove(change.key().path());
                }
            }
            commits++;
        });
    }

    @Override
    public PoolRecords poolRecords(long epoch) {
        return new PoolRecords() {
            @Override
            public Optional<byte[]> get(String key) {
                PoolRecords.check(key, new byte[0]);
                return read(key);
            }

            @Override
            public void put(String key, byte[] value) {
                PoolRecords.check(key, value);
                write("put " + key, epoch, () -> poolRecords.put(key, value.clone()));
            }

            @Override
            public void remove(String key) {
                PoolRecords.check(key, new byte[0]);
                write("remove " + key, epoch, () -> poolRecords.remove(key));
            }
        };
    }

    private synchronized Optional<byte[]> read(String key) {
        checkAvailable("get " + key);
        return Optional.ofNullable(poolRecords.get(key)).map(byte[]::clone);
    }

    private synchronized void write(String doing, long epoch, Runnable change) {
        checkAvailable(doing);
        Failure failure = failures.poll();
        if (failure == Failure.BEFORE_COMMIT) {
            throw new StoreUnavailableException(doing + ": injected before", new IllegalStateException("injected"));
        }
        if (epoch < newestEpoch) {
            throw new StaleEpochException(epoch, newestEpoch);
        }
        newestEpoch = epoch;
        change.run();
        if (failure == Failure.AFTER_COMMIT) {
            throw new StoreUnavailableException(doing + ": injected after", new IllegalStateException("injected"));
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
