package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;

/**
 * A change that somebody asked a datacenter's server for, and its outcome.
 *
 * @param number increases with each entry of the datacenter; the oldest entries are dropped
 */
public record AuditEntry(DatacenterName datacenter, long number, Instant at, String who, String what, String outcome) {}
