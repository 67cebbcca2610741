package io.ringmaster.model.record;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RequestId;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as this datacenter knows it.
 *
 * @param targetSpecVersion the newest accepted spec
 * @param created all nodes of all datacenters were NORMAL at the same time once: from then on a node joins only with
 *     bootstrap
 * @param founder nodes here were launched before the cluster was created: the ring that is created includes them
 * @param restored every node here has the data of the backup that the cluster starts from
 * @param deleting a user requested the deletion, which is final for this incarnation of the cluster: only a new
 *     declaration brings nodes back. The record stays when everything is gone, so that a peer that was away learns of
 *     it
 * @param destroyData the volumes are deleted too; only when a user explicitly asked for it
 * @param volumes the volumes here that no node uses any more, those of earlier incarnations included; each stays until
 *     a user orders its destruction
 * @param forgottenRequests the highest number of a request that was removed here, by the datacenter that made it: what
 *     a peer still reports up to that number is over
 * @param heldAfter the highest number of a request that peers reported when this datacenter received the cluster from
 *     them: what was requested up to then is not carried out here, also after the store was lost
 */
@RecordBuilder
public record ClusterRecord(
        ClusterName name,
        long targetSpecVersion,
        boolean created,
        boolean founder,
        boolean restored,
        boolean deleting,
        boolean destroyData,
        List<KeptVolume> volumes,
        Map<DatacenterName, Long> forgottenRequests,
        long heldAfter)
        implements StoredRecord {
    public ClusterRecord {
        volumes = volumes == null ? List.of() : List.copyOf(volumes); // older servers did not store them
        forgottenRequests = forgottenRequests == null ? Map.of() : Ordered.copy(forgottenRequests);
    }

    /** A cluster from which no node has left. */
    public ClusterRecord(
            ClusterName name, long targetSpecVersion, boolean created, boolean deleting, boolean destroyData) {
        this(name, targetSpecVersion, created, false, false, deleting, destroyData, List.of(), Map.of(), 0);
    }

    /** A cluster that is received from a peer. */
    public static ClusterRecord received(ClusterName name, long targetSpecVersion, long heldAfter) {
        return new ClusterRecord(name, targetSpecVersion, false, false, false)
                .edit()
                .heldAfter(heldAfter)
                .build();
    }

    /** The same name is now another incarnation, which is received from a peer. */
    public ClusterRecord receivedAfter(long request) {
        return edit().restored(false)
                .heldAfter(Math.max(heldAfter, request))
                .volumes(volumes.stream().map(KeptVolume::ofDeleted).toList())
                .build();
    }

    public ClusterRecord withTarget(long specVersion) {
        return edit().targetSpecVersion(specVersion).build();
    }

    public ClusterRecord complete() {
        return edit().created(true).build();
    }

    /** A node is launched here before the cluster is created. */
    public ClusterRecord founding() {
        return edit().founder(true).build();
    }

    /** Whether every node here has the data of the backup; a new plan looks at each node again. */
    public ClusterRecord restored(boolean complete) {
        return edit().restored(complete).build();
    }

    /** This datacenter leaves the cluster: named again, it lacks the data. */
    public ClusterRecord leave() {
        return edit().created(false).founder(false).restored(false).build();
    }

    public ClusterRecord deleted(boolean withData) {
        return edit().deleting(true).destroyData(withData).build();
    }

    public Optional<KeptVolume> volume(AllocationId id) {
        return volumes.stream().filter(v -> v.id().equals(id)).findFirst();
    }

    /** With this volume, instead of what was known about it. */
    public ClusterRecord withVolume(KeptVolume volume) {
        return edit().volumes(
                        Stream.concat(without(volume.id()), Stream.of(volume)).toList())
                .build();
    }

    public ClusterRecord withoutVolume(AllocationId volume) {
        return edit().volumes(without(volume).toList()).build();
    }

    /** With the volumes that were known here before the cluster was declared or received again, as those of another. */
    public ClusterRecord withVolumesOf(@Nullable ClusterRecord former) {
        List<KeptVolume> known = former == null ? List.of() : former.volumes;
        return edit().volumes(known.stream().map(KeptVolume::ofDeleted).toList())
                .build();
    }

    private Stream<KeptVolume> without(AllocationId id) {
        return volumes.stream().filter(v -> !v.id().equals(id));
    }

    /** Whether volumes of this incarnation are to be destroyed, and their destruction is not ordered yet. */
    public boolean mustDestroyVolumes(@Nullable String incarnation) {
        return destroyData && volumes.stream().anyMatch(v -> v.own(incarnation) && !v.ordered() && v.dropped() == null);
    }

    /** A request is removed here. */
    public ClusterRecord forgetting(RequestId request) {
        Map<DatacenterName, Long> forgotten = new TreeMap<>(forgottenRequests);
        forgotten.merge(request.datacenter(), request.number(), Math::max);
        return edit().forgottenRequests(forgotten).build();
    }

    /** Whether the request was removed here, after it was over everywhere. */
    public boolean hasForgotten(RequestId request) {
        return forgottenRequests.getOrDefault(request.datacenter(), 0L) >= request.number();
    }

    /** The deleted cluster when nothing of it is left here but volumes; where data is destroyed, those are, too. */
    public ClusterRecord gone(Instant now, @Nullable String incarnation) {
        List<KeptVolume> left = volumes.stream()
                .map(v -> destroyData && v.own(incarnation) && v.dropped() == null ? v.discarded(now) : v)
                .map(KeptVolume::ofDeleted)
                .toList();
        return leave().edit().deleting(true).volumes(left).build();
    }

    private ClusterRecordBuilder edit() {
        return ClusterRecordBuilder.builder(this);
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
