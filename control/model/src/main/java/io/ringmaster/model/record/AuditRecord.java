package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who asked for what, and what came of it. Bounded: the oldest go. */
public record AuditRecord(long number, Instant at, String who, String what, String outcome) implements StoredRecord {

    @Override
    public RecordKey key() {
        return new RecordKey.OfAudit(number);
    }

    @Override
    public @Nullable ClusterName cluster() {
        return null;
    }

    @Override
    public void accept(Handler handler) {
        handler.audit(this);
    }
}
