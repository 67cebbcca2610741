package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.AuditOrigin;
import io.ringmaster.model.record.AuditRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change that somebody asked a datacenter's server for, and its outcome.
 *
 * @param number increases with each entry of the datacenter; the oldest entries are dropped
 * @param origin the caller's token, role and address; null for what the server requested itself
 */
public record AuditEntry(
        DatacenterName datacenter,
        long number,
        Instant at,
        String who,
        String what,
        String outcome,
        @Nullable AuditOrigin origin) {
    public static AuditEntry of(DatacenterName datacenter, AuditRecord entry) {
        return new AuditEntry(
                datacenter, entry.number(), entry.at(), entry.who(), entry.what(), entry.outcome(), entry.origin());
    }
}
