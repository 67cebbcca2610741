package io.ringmaster.core.decide;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.SpecRecordBuilder;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges specs that were declared at another datacenter's server. The higher version wins. Where two servers gave one
 * version to two specs, the datacenter name that sorts first wins, and the server that holds that spec gives it a new
 * version: a stored version never changes.
 *
 * <p>A delete wins over every version of the same incarnation, also over newer ones that were accepted at a server that
 * did not know of it yet: half of the cluster is already deleted by then. If that newest version did not ask to destroy
 * volumes, they are kept.
 */
final class SpecMerge {
    private static final Set<RequestPart.State> FINISHED = Set.of(RequestPart.State.DONE, RequestPart.State.ENDED);

    private final View view;
    private final List<Change> changes = new ArrayList<>();

    private SpecMerge(View view) {
        this.view = view;
    }

    /** @param clusters the clusters that may have changed */
    static List<Change> changes(View view, Set<ClusterName> clusters) {
        SpecMerge merge = new SpecMerge(view);
        for (Observation<DatacenterReport> peer : view.peers().values()) {
            Optional<DatacenterReport> report = peer.current();
            if (report.isPresent()) {
                for (ClusterPart part : report.get().clusters()) {
                    if (!clusters.contains(part.cluster())) {
                        continue;
                    }
                    if (part.deleting()) {
                        merge.delete(part);
                    } else if (merge.concerns(part.spec())) {
                        merge.merge(part);
                        part.requests().forEach(r -> merge.merge(report.get().datacenter(), r));
                    }
                }
            }
            if (!merge.changes.isEmpty()) {
                // one peer at a time: each decision sees the changes of the one before
                break;
            }
        }
        return merge.changes;
    }

    private void delete(ClusterPart part) {
        ClusterRecord mine = view.clusters().get(part.cluster());
        if (mine == null || mine.deleting()) {
            return;
        }
        boolean newest = part.spec().version() >= mine.targetSpecVersion();
        if (newest || isMine(part.spec())) {
            put(mine.deleted(newest && part.destroyData()));
        }
    }

    private boolean isMine(SpecRecord theirs) {
        return view.targetSpec(theirs.cluster())
                .filter(own -> own.isSameCluster(theirs))
                .isPresent();
    }

    /** A datacenter that the spec no longer names must receive it as long as it has nodes. */
    private boolean concerns(SpecRecord theirs) {
        return theirs.spec().datacenter(view.datacenter()).isPresent()
                || (isMine(theirs) && !view.nodesOf(theirs.cluster()).isEmpty());
    }

    private void merge(ClusterPart part) {
        SpecRecord theirs = part.spec();
        ClusterRecord mine = view.clusters().get(part.cluster());
        if (mine == null || theirs.version() > mine.targetSpecVersion()) {
            boolean deleted = mine != null && mine.deleting() && (isMine(theirs) || view.exists(part.cluster()));
            if (!deleted && !isAnother(mine, part)) {
                changes.add(new Change.Put(theirs));
                if (mine == null || mine.deleting()) {
                    put(ClusterRecord.received(part.cluster(), theirs.version(), newestRequest(part.cluster()))
                            .withVolumesOf(mine));
                } else if (isMine(theirs)) {
                    put(mine.withTarget(theirs.version()));
                } else {
                    put(mine.withTarget(theirs.version()).receivedAfter(newestRequest(part.cluster())));
                    forgetPlaces(part.cluster());
                }
            }
        } else if (!mine.deleting() && theirs.version() == mine.targetSpecVersion()) {
            view.targetSpec(part.cluster())
                    .filter(own -> !own.spec().equals(theirs.spec()) || mustBecomeOne(mine, own, part))
                    .filter(own -> own.appliedIn().compareTo(theirs.appliedIn()) < 0)
                    .ifPresent(own -> renew(mine, own));
        }
    }

    /** Whether the same spec was applied in both datacenters before they knew each other, and neither is created. */
    private static boolean mustBecomeOne(ClusterRecord mine, SpecRecord own, ClusterPart part) {
        return !own.isSameCluster(part.spec()) && !mine.created() && !part.created();
    }

    /** The tokens and places of nodes that nothing was done about yet are those of the cluster that gives way. */
    private void forgetPlaces(ClusterName cluster) {
        view.nodesOf(cluster).stream()
                .filter(n -> n.reservedAt() == null)
                .forEach(n -> changes.add(new Change.Remove(n.key())));
    }

    /**
     * Whether the part is of another cluster that has the name of one here, and both cannot become one: the one here
     * may hold data, or has nodes in a ring of their own.
     */
    private boolean isAnother(@Nullable ClusterRecord mine, ClusterPart part) {
        return mine != null
                && !mine.deleting()
                && !isMine(part.spec())
                && (mine.created() || view.nodesOf(part.cluster()).stream().anyMatch(NodeRecord::launched));
    }

    /** The highest number of a request about the cluster that any peer ever reported. */
    private long newestRequest(ClusterName cluster) {
        return view.peers().keySet().stream()
                .flatMap(peer -> view.lastPart(peer, cluster).stream())
                .flatMap(p -> p.requests().stream())
                .mapToLong(r -> r.request().id().number())
                .max()
                .orElse(0);
    }

    private void merge(DatacenterName peer, RequestRecord reported) {
        Request request = reported.request();
        RequestRecord known = view.requests().get(request.id());
        if (known != null) {
            rememberOver(peer, reported, known);
            return;
        }
        boolean same = view.targetSpec(request.cluster())
                .filter(own -> Objects.equals(own.incarnation(), request.incarnation()))
                .isPresent();
        ClusterRecord mine = view.clusters().get(request.cluster());
        if (!same || mine == null || mine.hasForgotten(request.id())) {
            return;
        }
        RequestPart part = whyNot(mine, request)
                .map(reason -> OperationProgress.part(view, request, RequestPart.State.NOT_CONCERNED, null, reason))
                .orElseGet(() -> OperationProgress.part(
                        view, request, RequestPart.State.WAITING, null, "has just been received"));
        changes.add(new Change.Put(new RequestRecord(request, part)));
    }

    /** The peer may lose its store, and then only this record says that the request is over there. */
    private void rememberOver(DatacenterName peer, RequestRecord reported, RequestRecord known) {
        boolean isNew = reported.part().state().isOver()
                && known.request().equals(reported.request())
                && !known.part().overIn().contains(peer);
        if (isNew) {
            changes.add(new Change.Put(
                    new RequestRecord(known.request(), known.part().overIn(peer))));
        }
    }

    /**
     * Why a request that this datacenter hears of is not carried out here: a peer has finished it, or knows it to be
     * over here, or it is older than the cluster in this store, which may have been at its end when it was lost.
     */
    private Optional<String> whyNot(ClusterRecord mine, Request request) {
        if (!request.concerns(view.datacenter())) {
            return Optional.of(view.datacenter() + " was not part of the cluster when it was requested");
        }
        if (request.id().number() <= mine.heldAfter()) {
            return Optional.of("it was requested before " + view.datacenter() + " received the cluster");
        }
        if (OperationLock.wasOverHere(view, request)) {
            return Optional.of("it was over in " + view.datacenter() + " before the store there lost it");
        }
        boolean finished = view.peers().keySet().stream()
                .flatMap(peer -> view.lastPart(peer, request.cluster()).stream())
                .flatMap(p -> p.request(request.id()).stream())
                .anyMatch(r -> r.request().equals(request)
                        && FINISHED.contains(r.part().state()));
        return finished
                ? Optional.of("it was over elsewhere before " + view.datacenter() + " received it")
                : Optional.empty();
    }

    private void renew(ClusterRecord mine, SpecRecord winner) {
        changes.add(new Change.Put(SpecRecordBuilder.builder(winner)
                .version(winner.version() + 1)
                .appliedIn(view.datacenter())
                .appliedAt(view.now())
                .build()));
        put(mine.withTarget(winner.version() + 1));
    }

    private void put(ClusterRecord record) {
        changes.add(new Change.Put(record));
    }
}
