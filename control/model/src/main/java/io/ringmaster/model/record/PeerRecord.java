package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last that a peer datacenter said of itself, kept so that a restarted server knows remote seeds while the peer is
 * away.
 */
public record PeerRecord(DatacenterReport report, Instant receivedAt) implements StoredRecord {

    @Override
    public RecordKey key() {
        return new RecordKey.OfPeer(report.datacenter());
    }

    @Override
    public @Nullable ClusterName cluster() {
        return null;
    }

    @Override
    public void accept(Handler handler) {
        handler.peer(this);
    }
}
