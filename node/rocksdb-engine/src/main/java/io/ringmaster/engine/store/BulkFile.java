package io.ringmaster.engine.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.cassandra.io.FSWriteError;
import org.jspecify.annotations.Nullable;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/** Operands in the order of their keys, written to a file that RocksDB then takes over as it is. Not used, it is deleted. */
public final class BulkFile implements AutoCloseable {
    private final Path file;
    private final Options options;
    private final EnvOptions environment = new EnvOptions();
    private @Nullable SstFileWriter writer;
    private long bytes;
    private long newest = Long.MIN_VALUE;

    BulkFile(Path file, Options options) {
        this.file = file;
        this.options = options;
    }

    /** @param newestTimestamp the greatest in the operand */
    public void add(byte[] key, byte[] operand, long newestTimestamp) {
        try {
            if (writer == null) {
                writer = new SstFileWriter(environment, options);
                writer.open(file.toString());
            }
            writer.merge(key, operand);
            bytes += operand.length;
            newest = Math.max(newest, newestTimestamp);
        } catch (RocksDBException e) {
            throw Failures.writing(e, file);
        }
    }

    /** What was written so far. */
    long bytes() {
        return bytes;
    }

    long newestTimestamp() {
        return newest;
    }

    /** Makes all operands visible at once. */
    void ingest(Engine engine, org.rocksdb.ColumnFamilyHandle family) {
        if (writer == null) {
            return;
        }
        try (IngestExternalFileOptions move = new IngestExternalFileOptions().setMoveFiles(true)) {
            writer.finish();
            engine.db().ingestExternalFile(family, List.of(file.toString()), move);
        } catch (RocksDBException e) {
            throw Failures.writing(e, file);
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
