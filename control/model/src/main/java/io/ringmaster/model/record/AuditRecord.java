package io.ringmaster.model.record;

import java.time.Instant;

/** Who asked for what, and what came of it. Bounded: the oldest go. */
public record AuditRecord(long number, Instant at, String who, String what, String outcome) implements StoredRecord {
    @Override
    public String key() {
        return "audit/" + number;
    }
}
