package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Instant;

/**
 * One version of a spec; never changed after it was written.
 *
 * @param source the YAML as the user wrote it
 * @param appliedAt where and when it was accepted; a higher version wins, and of equal versions the earlier datacenter name
 */
public record SpecRecord(
        ClusterName cluster,
        long version,
        ClusterSpec spec,
        String source,
        String appliedBy,
        DatacenterName appliedIn,
        Instant appliedAt)
        implements StoredRecord {
    public static String key(ClusterName cluster, long version) {
        return "specs/" + cluster + "/" + version;
    }

    @Override
    public String key() {
        return key(cluster, version);
    }
}
