package io.ringmaster.model.record;

import io.ringmaster.model.name.MachineName;

/** Nothing new is placed on this machine while the record exists. */
public record CordonRecord(MachineName machine, String reason) implements StoredRecord {
    @Override
    public String key() {
        return "cordons/" + machine;
    }
}
