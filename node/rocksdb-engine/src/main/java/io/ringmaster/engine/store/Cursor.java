package io.ringmaster.engine.store;

import java.nio.file.Path;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** A position among the records of a table, as they were when it was made. */
public final class Cursor implements AutoCloseable {
    /** What it may be moved over. */
    public enum Reach {
        /** Only keys that begin with the token sought first; forwards; filters tell which files hold none. */
        TOKEN,
        /** Any key, in both directions. */
        ANY_KEY,
        /** Any key, for a scan that must not displace what point reads keep in the cache. */
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

    /** To the first key; answers whether there is one, as all that move do. */
    public boolean seekFirst() {
        iterator.seekToFirst();
        return isValid();
    }

    /** To the first key that is not before this one. */
    public boolean seek(byte[] key) {
        iterator.seek(key);
        return isValid();
    }

    /** To the last key that is not after this one. */
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
            throw Failures.reading(e, directory);
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
