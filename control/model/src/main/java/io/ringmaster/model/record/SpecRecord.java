package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.ClusterSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One version of a spec. It never changes once it is stored.
 *
 * @param source the YAML as the user wrote it
 * @param appliedAt when it was accepted. Of two specs the higher version wins; of equal versions the one accepted in
 *     the datacenter whose name sorts first
 * @param incarnation the first declaration of the cluster, such as {@code dc1-7-3f9c27e0a1b2c3d4}: equal in all its
 *     versions, and another one when a deleted cluster is declared again. Null in records of older servers
 * @param forced a datacenter that it no longer names leaves although clients are connected there
 * @param origin the backup that the cluster is restored from, until it is created; null for one that starts empty
 */
@RecordBuilder
public record SpecRecord(
        ClusterName cluster,
        long version,
        ClusterSpec spec,
        String source,
        String appliedBy,
        DatacenterName appliedIn,
        Instant appliedAt,
        @Nullable String incarnation,
        boolean forced,
        @Nullable RestoreOrigin origin)
        implements StoredRecord {
    /** A spec that is not forced, of a cluster that starts empty. */
    public SpecRecord(
            ClusterName cluster,
            long version,
            ClusterSpec spec,
            String source,
            String appliedBy,
            DatacenterName appliedIn,
            Instant appliedAt,
            @Nullable String incarnation) {
        this(cluster, version, spec, source, appliedBy, appliedIn, appliedAt, incarnation, false, null);
    }

    /**
     * The incarnation that a first declaration starts.
     *
     * @param unique differs between two declarations of datacenters with one name that both count from 1: backups of
     *     both may be in one store
     */
    public static String incarnation(DatacenterName declaredIn, long version, String unique) {
        return declaredIn + "-" + version + "-" + unique;
    }

    /**
     * Whether both are versions of one cluster, not of two clusters that had one name one after the other or unknown to
     * each other.
     */
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
