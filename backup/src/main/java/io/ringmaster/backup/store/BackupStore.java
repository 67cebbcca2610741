package io.ringmaster.backup.store;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store of objects. Keys are relative to the location, of the letters, digits, {@code . _ - /}, and never contain
 * {@code ..}. All methods may be called by several threads, and throw {@link StoreException} where the store is at
 * fault.
 */
public interface BackupStore extends AutoCloseable {
    /** Stores an object whole or not at all; replaces an object with the same key. */
    void put(String key, Content content) throws IOException, InterruptedException;

    /**
     * Reads from an object into the array.
     *
     * @param offset of the first byte
     * @return how many bytes were read: fewer than the array has only where the object ends
     */
    int get(String key, long offset, byte[] into) throws IOException, InterruptedException;

    Optional<ObjectInfo> stat(String key) throws IOException, InterruptedException;

    /**
     * Objects in the order of their keys. Sees every put and delete that is over.
     *
     * @param after only keys after this one; null from the start
     * @param limit the most that are returned; fewer only at the end of the list
     */
    List<ObjectInfo> list(String prefix, @Nullable String after, int limit) throws IOException, InterruptedException;

    /** Deletes objects; missing ones are fine. */
    void delete(Collection<String> keys) throws IOException, InterruptedException;

    @Override
    void close();
}
