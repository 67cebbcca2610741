package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One version of a spec; never changed after it was written.
 *
 * @param source the YAML as the user wrote it
 * @param appliedAt where and when it was accepted; a higher version wins, and of equal versions the earlier datacenter name
 * @param incarnation the declaration that the cluster began with, such as {@code dc1-7}: the same in all its versions, another one once a deleted
 *     cluster is declared anew. Null in what was stored before there were any
 * @param forced a datacenter that it names no more leaves although clients are connected there
 */
public record SpecRecord(
        ClusterName cluster,
        long version,
        ClusterSpec spec,
        String source,
        String appliedBy,
        DatacenterName appliedIn,
        Instant appliedAt,
        @Nullable String incarnation,
        boolean forced)
        implements StoredRecord {
    /** One that is not forced. */
    public SpecRecord(
            ClusterName cluster,
            long version,
            ClusterSpec spec,
            String source,
            String appliedBy,
            DatacenterName appliedIn,
            Instant appliedAt,
            @Nullable String incarnation) {
        this(cluster, version, spec, source, appliedBy, appliedIn, appliedAt, incarnation, false);
    }

    /** Names the cluster that begins with a declaration: a datacenter gives no version twice. */
    public static String incarnation(DatacenterName declaredIn, long version) {
        return declaredIn + "-" + version;
    }

    /** Whether both are versions of one cluster, not of two that bore one name after each other or unknown to each other. */
    public boolean isSameCluster(SpecRecord other) {
        return cluster.equals(other.cluster) && Objects.equals(incarnation, other.incarnation);
    }

    @Override
    public RecordKey key() {
        return new RecordKey.OfSpec(cluster, version);
    }

    @Override
    public void accept(Handler handler) {
        handler.spec(this);
    }
}
