package io.ringmaster.engine.store;

import java.nio.file.Path;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** A position in a consistent view of a table's records, as of the cursor's creation. */
public final class Cursor implements AutoCloseable {
    /** The keys that a cursor may visit. */
    public enum Reach {
        /** Only keys with the token of the first seek, forwards. Bloom filters skip files without it. */
        TOKEN,
        /** Any key, in both directions. */
        ANY_KEY,
        /** Any key, without filling the block cache, so that a scan does not evict the blocks of point reads. */
        WHOLE_TABLE
    }

    private static final Map<Reach, ReadOptions> OPTIONS = Map.of(
            Reach.TOKEN, new ReadOptions().setPrefixSameAsStart(true),
            Reach.ANY_KEY, new ReadOptions().setTotalOrderSeek(true),
            Reach.WHOLE_TABLE, new ReadOptions().setTotalOrderSeek(true).setFillCache(false));

    private final RocksIterator iterator;
    private final Path directory;

    Cursor(RocksDB db, ColumnFamilyHandle family, Reach reach, Path directory) {
        this.iterator = db.newIterator(family, OPTIONS.get(reach));
        this.directory = directory;
    }

    /** Moves to the first key. Like all methods that move, it returns whether the cursor is at a key. */
    public boolean seekFirst() {
        iterator.seekToFirst();
        return isValid();
    }

    /** Moves to the first key at or after the given one. */
    public boolean seek(byte[] key) {
        iterator.seek(key);
        return isValid();
    }

    /** Moves to the last key at or before the given one. */
    public boolean seekBack(byte[] key) {
        iterator.seekForPrev(key);
        return isValid();
    }

    public boolean next() {
        iterator.next();
        return isValid();
    }

    public boolean previous() {
        iterator.prev();
        return isValid();
    }

    public boolean isValid() {
        if (iterator.isValid()) {
            return true;
        }
        try {
            iterator.status();
            return false;
        } catch (RocksDBException e) {
            throw RocksDBErrors.reading(e, directory);
        }
    }

    public byte[] key() {
        return iterator.key();
    }

    public byte[] value() {
        return iterator.value();
    }

    @Override
    public void close() {
        iterator.close();
    }
}
