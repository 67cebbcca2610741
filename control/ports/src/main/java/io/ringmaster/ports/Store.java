package io.ringmaster.ports;

import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.StoredRecord;
import java.util.Collection;
import java.util.List;

/** The durable records of a datacenter. Blocking; only the controller's thread calls it. */
public interface Store extends AutoCloseable {

    /** All records, in key order. */
    Collection<StoredRecord> load();

    /**
     * Makes all changes or none, and only if {@code epoch} is the newest.
     *
     * @throws StaleEpochException another server leads; nothing was changed
     * @throws StoreUnavailableException the outcome is unknown; load before the next commit
     */
    void commit(long epoch, List<Change> changes);

    /** The records of the pool, apart from those of {@link #load}; writable while {@code epoch} is the newest. */
    PoolRecords poolRecords(long epoch);

    @Override
    void close();
}
