package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who asked for what, and what came of it. Bounded: the oldest go.
 *
 * @param origin null for what the server requested itself, and in entries of older versions
 */
public record AuditRecord(
        long number, Instant at, String who, String what, String outcome, @Nullable AuditOrigin origin)
        implements StoredRecord {

    public AuditRecord withNumber(long other) {
        return new AuditRecord(other, at, who, what, outcome, origin);
    }

    /** Whether it is about a request that was refused. */
    public boolean refused() {
        return origin != null && origin.refused() != null;
    }

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
