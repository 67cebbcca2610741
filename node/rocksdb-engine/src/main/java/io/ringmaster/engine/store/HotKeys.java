package io.ringmaster.engine.store;

import static org.apache.cassandra.concurrent.ExecutorFactory.Global.executorFactory;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.concurrent.ExecutorPlus;

/**
 * Keeps the keys that are updated most often in the block cache, by reading a sample of all updated keys.
 *
 * <p>RocksDB merges many operands of one key in its write buffer only if the older values of the key are in memory,
 * because writes must not wait for the disk. It tries so at each further write, and each attempt visits all operands of
 * the key. Without these reads a row that is updated often but never read would slow all writes down.
 */
final class HotKeys {
    private static final int UPDATES_PER_READ = 256;
    private static final ExecutorPlus ONE_AT_A_TIME = executorFactory().sequential("RocksDBHotKeys");
    private static final AtomicBoolean IS_READING = new AtomicBoolean();

    private HotKeys() {}

    /** Called after an update of a key. Returns without waiting. */
    static void sample(TableStore store, byte[] key) {
        if (ThreadLocalRandom.current().nextInt(UPDATES_PER_READ) == 0 && IS_READING.compareAndSet(false, true)) {
            ONE_AT_A_TIME.execute(() -> read(store, key));
        }
    }

    private static void read(TableStore store, byte[] key) {
        try (TableStore.Lease lease = store.lease()) {
            if (lease != null) {
                store.get(key);
            }
        } finally {
            IS_READING.set(false);
        }
    }
}
