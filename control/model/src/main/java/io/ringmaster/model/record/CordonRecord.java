package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.MachineName;
import org.jspecify.annotations.Nullable;

/** Nothing new is placed on this machine while the record exists. */
public record CordonRecord(MachineName machine, String reason) implements StoredRecord {

    @Override
    public RecordKey key() {
        return new RecordKey.OfCordon(machine);
    }

    @Override
    public @Nullable ClusterName cluster() {
        return null;
    }

    @Override
    public void accept(Handler handler) {
        handler.cordon(this);
    }
}
