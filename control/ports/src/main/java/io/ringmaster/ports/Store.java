package io.ringmaster.ports;

import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.StoredRecord;
import java.util.Collection;
import java.util.List;

/** Where records are kept. Blocking; called by the controller's one thread. */
public interface Store extends AutoCloseable {

    /** Everything, in key order. */
    Collection<StoredRecord> load();

    /**
     * Makes all the changes or none, if {@code epoch} is still the newest.
     *
     * @throws StaleEpochException another server leads; nothing was changed
     * @throws StoreUnavailableException it is not known whether the changes were made; load again before going on
     */
    void commit(long epoch, List<Change> changes);

    @Override
    void close();
}
