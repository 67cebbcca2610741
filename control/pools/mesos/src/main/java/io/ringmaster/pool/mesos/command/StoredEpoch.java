package io.ringmaster.pool.mesos.command;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.pool.base.EpochStorage;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.StaleEpochException;
import io.ringmaster.ports.StoreUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The highest epoch, in the store: Mesos keeps no value for a framework, and one subscriber ends the one before. */
public final class StoredEpoch implements EpochStorage {
    private static final String RECORD = "mesos.epoch";

    private final PoolRecords records;
    private volatile boolean exists;

    public StoredEpoch(PoolRecords records) {
        this.records = records;
    }

    @Override
    public long read() throws IOException {
        try {
            Optional<byte[]> stored = records.get(RECORD);
            exists = stored.isPresent();
            return stored.isEmpty() ? 0 : Long.parseLong(new String(stored.get(), StandardCharsets.UTF_8));
        } catch (NumberFormatException e) {
            throw new IOException(place() + " holds no number; " + removal(), e);
        } catch (StoreUnavailableException e) {
            throw new IOException(ThrowableText.of(e), e);
        }
    }

    /** As of the last call. */
    @Override
    public boolean exists() {
        return exists;
    }

    @Override
    public void write(long epoch) throws IOException {
        try {
            records.put(RECORD, Long.toString(epoch).getBytes(StandardCharsets.UTF_8));
            exists = true;
        } catch (StaleEpochException | StoreUnavailableException e) {
            throw new IOException(ThrowableText.of(e), e);
        }
    }

    @Override
    public void delete() throws IOException {
        try {
            records.remove(RECORD);
            exists = false;
        } catch (StaleEpochException | StoreUnavailableException e) {
            throw new IOException(ThrowableText.of(e), e);
        }
    }

    @Override
    public String place() {
        return "the record " + RECORD + " of the store";
    }

    @Override
    public String removal() {
        return "remove this record";
    }
}
