package io.ringmaster.model.record;

import io.ringmaster.model.fleet.DatacenterReport;
import java.time.Instant;

/** The last that a peer datacenter said of itself, kept so that a restarted server knows remote seeds while the peer is away. */
public record PeerRecord(DatacenterReport report, Instant receivedAt) implements StoredRecord {
    @Override
    public String key() {
        return "peers/" + report.datacenter();
    }
}
