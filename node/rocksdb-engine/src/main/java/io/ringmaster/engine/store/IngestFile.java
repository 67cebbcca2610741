package io.ringmaster.engine.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.cassandra.io.FSWriteError;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/** An external file of operands, sorted by key, that RocksDB ingests by moving it. A file not ingested is deleted. */
public final class IngestFile implements AutoCloseable {
    private final Path file;
    private final Options options;
    private final EnvOptions environment = new EnvOptions();
    private @Nullable SstFileWriter writer;
    private long bytes;
    private final long[] maxTimestamps = MaxTimestamps.none();

    IngestFile(Path file, Options options) {
        this.file = file;
        this.options = options;
    }

    /** @param operandTimestamp the greatest timestamp of the operand, in microseconds */
    public void add(byte[] key, byte[] operand, long operandTimestamp) {
        try {
            if (writer == null) {
                writer = new SstFileWriter(environment, options);
                writer.open(file.toString());
            }
            writer.merge(key, operand);
            bytes += operand.length;
            int slot = MaxTimestamps.slot(key);
            maxTimestamps[slot] = Math.max(maxTimestamps[slot], operandTimestamp);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, file);
        }
    }

    /** The total size of the operands. */
    long bytes() {
        return bytes;
    }

    /** The greatest timestamp of each slot of {@link MaxTimestamps}. */
    long[] maxTimestamps() {
        return maxTimestamps;
    }

    /** Makes all operands visible at once. The write buffer of the column family must be empty. */
    void ingest(RocksDB db, ColumnFamilyHandle family) {
        if (writer == null) {
            return;
        }
        try (IngestExternalFileOptions move =
                new IngestExternalFileOptions().setMoveFiles(true).setAllowBlockingFlush(false)) {
            writer.finish();
            db.ingestExternalFile(family, List.of(file.toString()), move);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, file);
        }
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
        environment.close();
        options.close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new FSWriteError(e, file);
        }
    }
}
