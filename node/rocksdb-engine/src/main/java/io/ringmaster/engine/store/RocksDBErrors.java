package io.ringmaster.engine.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.cassandra.io.FSReadError;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.sstable.CorruptSSTableException;
import org.apache.cassandra.io.util.File;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Converts RocksDB's exceptions to those of Cassandra, so that {@code disk_failure_policy} applies. */
public final class RocksDBErrors {
    private RocksDBErrors() {}

    public static RuntimeException reading(RocksDBException failure, Path directory) {
        IOException cause = new IOException("RocksDB cannot read: " + failure.getMessage(), failure);
        if (isCorruption(failure)) {
            return new CorruptSSTableException(cause, new File(directory));
        }
        throw new FSReadError(cause, directory);
    }

    public static RuntimeException writing(RocksDBException failure, Path directory) {
        IOException cause = new IOException("RocksDB cannot write: " + failure.getMessage(), failure);
        if (isCorruption(failure)) {
            return new CorruptSSTableException(cause, new File(directory));
        }
        throw new FSWriteError(cause, directory);
    }

    private static boolean isCorruption(RocksDBException failure) {
        return failure.getStatus() != null && failure.getStatus().getCode() == Status.Code.Corruption;
    }
}
