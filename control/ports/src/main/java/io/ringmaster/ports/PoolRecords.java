package io.ringmaster.ports;

import java.util.Optional;

/**
 * Small values that must outlive a pool, such as the id of its state directory or of a Mesos framework. A value is
 * durable when {@link #put} returns. Calls block. The state of allocations does not belong here, because a pool
 * observes it again; which allocations exist does, where a platform forgets it for a time.
 */
public interface PoolRecords {
    /** The longest value in bytes. */
    int MAX_BYTES = 64 << 10;

    /** The form of a key, which becomes the name of a znode or a file. */
    String KEY = "[a-z0-9][a-z0-9._-]{0,60}";

    /** @throws StoreUnavailableException the store did not answer */
    Optional<byte[]> get(String key);

    /**
     * @throws StaleEpochException another server leads; nothing was changed
     * @throws StoreUnavailableException the outcome is unknown
     * @throws IllegalArgumentException the key or the size is not allowed
     */
    void put(String key, byte[] value);

    /**
     * @throws StaleEpochException another server leads; nothing was changed
     * @throws StoreUnavailableException the outcome is unknown
     */
    void remove(String key);

    /** @throws IllegalArgumentException the key or the size is not allowed */
    static void check(String key, byte[] value) {
        if (!key.matches(KEY)) {
            throw new IllegalArgumentException("the key '" + key + "' of a pool's record must match " + KEY);
        }
        if (value.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the pool's record '" + key + "' has " + value.length + " bytes, more than " + MAX_BYTES);
        }
    }
}
