package io.ringmaster.model.record;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RequestId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
 * @param forgottenRequests the highest number of a request that was removed here, by the datacenter that made it: what
 *     a peer still reports up to that number is over
 */
public record ClusterRecord(
        ClusterName name,
        long targetSpecVersion,
        boolean created,
        boolean deleting,
        boolean destroyData,
        List<AllocationId> keptVolumes,
        Map<DatacenterName, Long> forgottenRequests)
        implements StoredRecord {
    public ClusterRecord {
        keptVolumes = keptVolumes == null ? List.of() : List.copyOf(keptVolumes); // older servers did not store them
        forgottenRequests = forgottenRequests == null ? Map.of() : Ordered.copy(forgottenRequests);
    }

    /** A cluster from which no node has left. */
    public ClusterRecord(
            ClusterName name, long targetSpecVersion, boolean created, boolean deleting, boolean destroyData) {
        this(name, targetSpecVersion, created, deleting, destroyData, List.of(), Map.of());
    }

    public ClusterRecord withTarget(long specVersion) {
        return new ClusterRecord(name, specVersion, created, deleting, destroyData, keptVolumes, forgottenRequests);
    }

    public ClusterRecord withCreated(boolean complete) {
        return new ClusterRecord(
                name, targetSpecVersion, complete, deleting, destroyData, keptVolumes, forgottenRequests);
    }

    public ClusterRecord deleted(boolean withData) {
        return new ClusterRecord(name, targetSpecVersion, created, true, withData, keptVolumes, forgottenRequests);
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

    /** A request is removed here. */
    public ClusterRecord forgetting(RequestId request) {
        Map<DatacenterName, Long> forgotten = new TreeMap<>(forgottenRequests);
        forgotten.merge(request.datacenter(), request.number(), Math::max);
        return new ClusterRecord(name, targetSpecVersion, created, deleting, destroyData, keptVolumes, forgotten);
    }

    /** Whether the request was removed here, after it was over everywhere. */
    public boolean hasForgotten(RequestId request) {
        return forgottenRequests.getOrDefault(request.datacenter(), 0L) >= request.number();
    }

    /** The deleted cluster when nothing of it is left here. */
    public ClusterRecord gone() {
        return new ClusterRecord(name, targetSpecVersion, false, true, destroyData, List.of(), forgottenRequests);
    }

    private ClusterRecord withKeptVolumes(List<AllocationId> volumes) {
        return new ClusterRecord(name, targetSpecVersion, created, deleting, destroyData, volumes, forgottenRequests);
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
