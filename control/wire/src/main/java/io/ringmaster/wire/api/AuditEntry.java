package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;

/**
 * Who asked a datacenter's server for what, and what came of it.
 *
 * @param number grows with each entry of its datacenter; the oldest entries are dropped
 */
public record AuditEntry(DatacenterName datacenter, long number, Instant at, String who, String what, String outcome) {}
