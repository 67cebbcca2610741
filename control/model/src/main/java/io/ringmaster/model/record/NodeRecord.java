package io.ringmaster.model.record;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodeTask;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node that this datacenter has decided to have.
 *
 * @param generation of the last decided target; grows with each decision
 * @param specVersion the version of the spec that the target is made from
 * @param goodSpecVersion the last version with which the node was NORMAL, to put back when a newer one fails; 0 before
 *     any
 * @param restarts the number of restarts requested in the life of the node
 * @param run whether the daemon should run
 * @param joined the node was NORMAL once: it holds data, or may
 * @param launched the executor should run; false from the decision to take it away
 * @param task what the daemon should do or should have done, or null
 * @param transfer what the transfer program of the node should do or should have done, or null
 * @param leaving the node leaves the ring, which cannot be taken back. A leaving node that is not launched has left: it
 *     owns nothing and must never run again
 * @param needsCleanup other nodes took over some of its ranges, whose rows are still on its disk
 * @param owesRepairSince when the node last took over ranges, was about to, was restored from a backup, or was back
 *     after a longer time than others keep hints for it: until a repair of its ranges that starts later, other replicas
 *     may have rows that it lacks; null when it owes none
 * @param replaces the dead endpoint, {@code address:storage_port}, whose ranges the node takes over when it joins; null
 *     for any other
 * @param previousAllocations where the node was before it was replaced, until the replacement has joined and they are
 *     released. Nothing is started there again
 * @param evacuating the daemon was stopped so that the node can move to another machine; it is started again when no
 *     plan wants the move any more
 * @param lostSince when the machine was lost, in a cluster that replaces such nodes automatically; null for any other
 * @param hostId by which the ring knows the node, whatever its address; null before it was NORMAL
 * @param lastEndpoint {@code address:storage_port} at which the node was last seen in the ring; null before that
 * @param replacesHost the host id of the dead node whose ranges the node takes over, as far as it was known
 * @param lastUp when the node was last seen up, stored from time to time; null before that
 * @param gcGraceSeconds the smallest gc_grace of the tables of users, as the node last reported it; 0 before that
 * @param repairFreeGeneration of the first target after the last one that named a repair: an executor that has not
 *     reported it may still repair. 0 before any repair; null in the record of an older release, which kept none
 */
@RecordBuilder
public record NodeRecord(
        NodeId id,
        Allocation allocation,
        RackName rack,
        List<String> tokens,
        long generation,
        long specVersion,
        long goodSpecVersion,
        long restarts,
        boolean run,
        boolean joined,
        boolean launched,
        @Nullable Instant reservedAt,
        @Nullable Instant launchedAt,
        @Nullable NodeTask task,
        @Nullable NodeTask transfer,
        boolean leaving,
        boolean needsCleanup,
        @Nullable Instant owesRepairSince,
        @Nullable String replaces,
        List<Allocation> previousAllocations,
        boolean evacuating,
        @Nullable Instant lostSince,
        @Nullable String hostId,
        @Nullable String lastEndpoint,
        @Nullable String replacesHost,
        @Nullable Instant lastUp,
        long gcGraceSeconds,
        @Nullable Long repairFreeGeneration)
        implements StoredRecord {

    public NodeRecord {
        tokens = List.copyOf(tokens);
        // records of an older version have none
        previousAllocations = previousAllocations == null ? List.of() : List.copyOf(previousAllocations);
    }

    /** A node that has a place and nothing else yet. */
    public static NodeRecord placed(
            NodeId id, Allocation allocation, RackName rack, List<String> tokens, long specVersion) {
        return NodeRecordBuilder.builder()
                .id(id)
                .allocation(allocation)
                .rack(rack)
                .tokens(tokens)
                .specVersion(specVersion)
                .run(true)
                .previousAllocations(List.of())
                .repairFreeGeneration(0L)
                .build();
    }

    /** Decides a new target from this version of the spec. */
    public NodeRecord decide(long version) {
        return running(true, nextGeneration())
                .specVersion(version)
                .launched(true)
                .build();
    }

    /** Decides a restart of the daemon. */
    public NodeRecord restart() {
        return nextGeneration().restarts(restarts + 1).build();
    }

    /** Decides that the daemon runs, or stops while its executor and its volume stay. */
    public NodeRecord running(boolean shouldRun) {
        return running(shouldRun, nextGeneration()).build();
    }

    /** Decides that the daemon stops, so that the node can move to another machine. */
    public NodeRecord evacuate() {
        return running(false, nextGeneration()).evacuating(true).build();
    }

    /** Starts a new generation without a new decision: the executor gets what is derived, such as firstCreation. */
    public NodeRecord inform() {
        return nextGeneration().build();
    }

    /** Decides what the daemon should do; null for nothing more. */
    public NodeRecord withTask(@Nullable NodeTask wanted) {
        return withNextTask(wanted).build();
    }

    /** Decides what the transfer program should do; null for nothing more. */
    public NodeRecord withTransfer(@Nullable NodeTask wanted) {
        return nextGeneration().transfer(wanted).build();
    }

    /** The node was seen NORMAL. Its executor must know that the volume holds data from now on. */
    public NodeRecord seenNormal() {
        return member(nextGeneration()).build();
    }

    /** The ring knows the dead node at this endpoint by now. */
    public NodeRecord replacing(String endpoint) {
        return nextGeneration().replaces(endpoint).build();
    }

    /** The ring knows the node by this host id at this endpoint. */
    public NodeRecord knownAs(String host, String endpoint) {
        return edit().hostId(host).lastEndpoint(endpoint).build();
    }

    /** The node is NORMAL with the version that its target is made from. */
    public NodeRecord proven() {
        return member(edit().goodSpecVersion(specVersion)).build();
    }

    /** Decides that the executor goes; only the volume stays. */
    public NodeRecord takenAway() {
        return running(false, nextGeneration()).launched(false).build();
    }

    /** Decides that the node hands its ranges over and leaves the ring by this task; null for a node that owns none. */
    public NodeRecord leave(@Nullable NodeTask decommission) {
        return withNextTask(decommission).leaving(true).build();
    }

    /** Cassandra refused to let the node leave: it stays a member. */
    public NodeRecord stay() {
        return nextGeneration().task(null).leaving(false).build();
    }

    /** Whether the node has left the ring, so that only its volume is left to be kept. */
    public boolean hasLeft() {
        return leaving && !launched;
    }

    /** Other nodes took over some of its ranges, or the rows of those are removed. */
    public NodeRecord needsCleanup(boolean now) {
        return edit().needsCleanup(now).build();
    }

    /** Whether the node has yet to repair its ranges: other replicas may have rows that it lacks. */
    public boolean owesRepair() {
        return owesRepairSince != null;
    }

    /** The node owes a repair that starts at this time or later. What it owes already is due at the later time. */
    public NodeRecord owing(Instant since) {
        return owesRepairSince != null && owesRepairSince.isAfter(since)
                ? this
                : edit().owesRepairSince(since).build();
    }

    /** The ranges are repaired. What the node owes since a time after the start of that repair, it still owes. */
    public NodeRecord repaired(Instant started) {
        return owesRepairSince == null || owesRepairSince.isAfter(started)
                ? this
                : edit().owesRepairSince(null).build();
    }

    /** Whether ranges of the ring belong to the node, also while it takes them over from a dead one. */
    public boolean ownsRanges() {
        return joined || replaces != null;
    }

    /**
     * The node is dead; its replacement takes its ranges over at this place.
     *
     * @param endpoint at which the ring knows the dead node; null if it never joined
     * @param now since when it owes a repair of those ranges
     */
    public NodeRecord replacedAt(Allocation place, @Nullable String endpoint, Instant now) {
        return movedTo(place, endpoint).build().owing(now);
    }

    /** The machine was lost before the node joined a cluster without rows: it joins at this place, with its tokens. */
    public NodeRecord placedAgain(Allocation place, RackName placesRack) {
        return movedTo(place, null).rack(placesRack).owesRepairSince(null).build();
    }

    private NodeRecordBuilder movedTo(Allocation place, @Nullable String endpoint) {
        return running(true, nextGeneration())
                .previousAllocations(Stream.concat(previousAllocations.stream(), Stream.of(allocation))
                        .toList())
                .replaces(joined ? endpoint : replaces)
                .replacesHost(joined ? hostId : replacesHost)
                .allocation(place)
                .goodSpecVersion(0)
                .joined(false)
                .launched(false)
                .reservedAt(null)
                .launchedAt(null)
                .lostSince(null)
                .lastUp(null)
                .hostId(null)
                .lastEndpoint(null)
                .task(null)
                .transfer(null)
                .needsCleanup(false)
                .repairFreeGeneration(0L);
    }

    /** @param unreleased those of its previous allocations that are not released yet */
    public NodeRecord withPreviousAllocations(List<Allocation> unreleased) {
        return edit().previousAllocations(unreleased).build();
    }

    /** The node is up. */
    public NodeRecord seenUp(Instant at, long gcGrace) {
        return edit().lastUp(at).gcGraceSeconds(gcGrace).build();
    }

    /** @param since when its machine was lost, or null when it is not */
    public NodeRecord lost(@Nullable Instant since) {
        return edit().lostSince(since).build();
    }

    public NodeRecord withAllocation(Allocation changed) {
        return edit().allocation(changed).build();
    }

    /** When the pool first reserved the allocation and first ran the executor; a time that is known stays. */
    public NodeRecord withTimes(@Nullable Instant reserved, @Nullable Instant started) {
        return edit().reservedAt(reservedAt == null ? reserved : reservedAt)
                .launchedAt(launchedAt == null ? started : launchedAt)
                .build();
    }

    private NodeRecordBuilder edit() {
        return NodeRecordBuilder.builder(this);
    }

    private NodeRecordBuilder nextGeneration() {
        return edit().generation(generation + 1);
    }

    private NodeRecordBuilder withNextTask(@Nullable NodeTask wanted) {
        boolean ends = task != null && task.kind() == NodeTask.Kind.REPAIR;
        return nextGeneration()
                .task(wanted)
                .repairFreeGeneration(ends ? Long.valueOf(generation + 1) : repairFreeGeneration);
    }

    private static NodeRecordBuilder running(boolean shouldRun, NodeRecordBuilder edit) {
        return edit.run(shouldRun).evacuating(false);
    }

    private static NodeRecordBuilder member(NodeRecordBuilder edit) {
        return edit.joined(true).replaces(null).replacesHost(null);
    }

    @Override
    public RecordKey.OfNode key() {
        return new RecordKey.OfNode(id);
    }

    @Override
    public ClusterName cluster() {
        return id.cluster();
    }

    @Override
    public void accept(Handler handler) {
        handler.node(this);
    }
}
