package io.ringmaster.model.record;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import java.util.List;
import java.util.stream.Stream;

/**
 * A cluster as this datacenter knows it.
 *
 * @param targetSpecVersion the newest accepted spec
 * @param created all nodes of all datacenters were NORMAL at the same time once: from then on a node joins only with
 *     bootstrap
 * @param deleting a user requested the deletion, which is final for this incarnation of the cluster: only a new
 *     declaration brings nodes back. The record stays when everything is gone, so that a peer that was away learns of
 *     it
 * @param destroyData the volumes are deleted too; only when a user explicitly asked for it
 * @param keptVolumes the volumes of nodes that left the ring of this incarnation; only a deletion that destroys data
 *     touches them
 */
public record ClusterRecord(
        ClusterName name,
        long targetSpecVersion,
        boolean created,
        boolean deleting,
        boolean destroyData,
        List<AllocationId> keptVolumes)
        implements StoredRecord {
    public ClusterRecord {
        keptVolumes = keptVolumes == null ? List.of() : List.copyOf(keptVolumes); // older servers did not store them
    }

    /** A cluster from which no node has left. */
    public ClusterRecord(
            ClusterName name, long targetSpecVersion, boolean created, boolean deleting, boolean destroyData) {
        this(name, targetSpecVersion, created, deleting, destroyData, List.of());
    }

    public ClusterRecord withTarget(long specVersion) {
        return new ClusterRecord(name, specVersion, created, deleting, destroyData, keptVolumes);
    }

    public ClusterRecord withCreated(boolean complete) {
        return new ClusterRecord(name, targetSpecVersion, complete, deleting, destroyData, keptVolumes);
    }

    public ClusterRecord deleted(boolean withData) {
        return new ClusterRecord(name, targetSpecVersion, created, true, withData, keptVolumes);
    }

    public ClusterRecord withKeptVolume(AllocationId volume) {
        return keptVolumes.contains(volume)
                ? this
                : withKeptVolumes(
                        Stream.concat(keptVolumes.stream(), Stream.of(volume)).toList());
    }

    public ClusterRecord withoutKeptVolume(AllocationId volume) {
        return withKeptVolumes(
                keptVolumes.stream().filter(v -> !v.equals(volume)).toList());
    }

    private ClusterRecord withKeptVolumes(List<AllocationId> volumes) {
        return new ClusterRecord(name, targetSpecVersion, created, deleting, destroyData, volumes);
    }

    @Override
    public RecordKey key() {
        return new RecordKey.OfCluster(name);
    }

    @Override
    public ClusterName cluster() {
        return name;
    }

    @Override
    public void accept(Handler handler) {
        handler.cluster(this);
    }
}
