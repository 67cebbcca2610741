package io.ringmaster.model.record;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodeTask;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node that this datacenter has decided to have.
 *
 * @param generation of the target last decided; grows with each decision
 * @param specVersion the version of the spec that its target is made from
 * @param goodSpecVersion the last version it was NORMAL with; 0 before any. The version to put back when a newer one fails
 * @param restarts how many restarts were asked for in its life
 * @param run whether its daemon should run
 * @param joined it was NORMAL once: it holds data, or may
 * @param launched the executor should be there; false once it is being taken away
 * @param task what its daemon should do or have done, or null
 * @param leaving it was decided that it leaves the ring, which cannot be taken back; once it has left and is not launched any more it owns
 *     nothing, and must never run again
 * @param needsCleanup others took over ranges of its own, whose rows still lie on its disk
 * @param replaces the dead endpoint, {@code address:storage_port}, whose ranges it takes over when it first joins; null for any other
 * @param previousAllocations the places that it had before, until it has joined anew and they are released: what returns there must not run
 * @param evacuating its daemon was ended so that it can begin anew elsewhere; it is started again when no plan wants that any more
 * @param lostSince since when its machine is lost, in a cluster that replaces such nodes by itself; null for any other
 */
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
        boolean leaving,
        boolean needsCleanup,
        @Nullable String replaces,
        List<Allocation> previousAllocations,
        boolean evacuating,
        @Nullable Instant lostSince)
        implements StoredRecord {

    public NodeRecord {
        tokens = List.copyOf(tokens);
        // records of an older version have none
        previousAllocations = previousAllocations == null ? List.of() : List.copyOf(previousAllocations);
    }

    /** One that neither stands aside nor is lost. */
    public NodeRecord(
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
            boolean leaving,
            boolean needsCleanup,
            @Nullable String replaces,
            List<Allocation> previousAllocations) {
        this(
                id,
                allocation,
                rack,
                tokens,
                generation,
                specVersion,
                goodSpecVersion,
                restarts,
                run,
                joined,
                launched,
                reservedAt,
                launchedAt,
                task,
                leaving,
                needsCleanup,
                replaces,
                previousAllocations,
                false,
                null);
    }

    /** Its target is decided anew, to be made from this version of the spec. */
    public NodeRecord decide(long version) {
        return copy(c -> {
            c.generation++;
            c.specVersion = version;
            c.switchTo(true);
            c.launched = true;
        });
    }

    /** Its daemon is to be started anew. */
    public NodeRecord restart() {
        return copy(c -> {
            c.generation++;
            c.restarts++;
        });
    }

    /** Its daemon is to run, or to end while its executor and its volume stay. */
    public NodeRecord running(boolean shouldRun) {
        return copy(c -> {
            c.generation++;
            c.switchTo(shouldRun);
        });
    }

    /** Its daemon is to end, so that it can begin anew elsewhere. */
    public NodeRecord evacuate() {
        return running(false).copy(c -> c.evacuating = true);
    }

    /** It is to do this, or nothing more with null. */
    public NodeRecord withTask(@Nullable NodeTask wanted) {
        return copy(c -> {
            c.generation++;
            c.task = wanted;
        });
    }

    /** It was seen NORMAL. */
    public NodeRecord seenNormal() {
        return copy(Draft::join);
    }

    /** It is NORMAL with the version that its target is made from. */
    public NodeRecord proven() {
        return copy(c -> {
            c.goodSpecVersion = specVersion;
            c.join();
        });
    }

    /** Its executor is to go; only its volume stays. */
    public NodeRecord takenAway() {
        return copy(c -> {
            c.generation++;
            c.switchTo(false);
            c.launched = false;
        });
    }

    /** It is to hand its ranges over and leave the ring by this task. */
    public NodeRecord leave(NodeTask decommission) {
        return withTask(decommission).copy(c -> c.leaving = true);
    }

    /** Cassandra refused to let it go: it stays a member. */
    public NodeRecord stay() {
        return withTask(null).copy(c -> c.leaving = false);
    }

    /** It is no member of the ring any more, and only its volume is left to be kept. */
    public boolean hasLeft() {
        return leaving && !launched;
    }

    /** Others took over ranges of its own, or the rows of those are removed. */
    public NodeRecord needsCleanup(boolean now) {
        return copy(c -> c.needsCleanup = now);
    }

    /** Ranges of the ring are its own, also while it takes them over from a dead node. */
    public boolean ownsRanges() {
        return joined || replaces != null;
    }

    /** It is dead, and begins anew at this place with the ranges that it had. */
    public NodeRecord replacedAt(Allocation place) {
        return copy(c -> {
            c.previousAllocations = Stream.concat(previousAllocations.stream(), Stream.of(allocation))
                    .toList();
            c.replaces =
                    joined ? allocation.address() + ":" + allocation.ports().storage() : replaces;
            c.allocation = place;
            c.generation++;
            c.goodSpecVersion = 0;
            c.switchTo(true);
            c.joined = false;
            c.launched = false;
            c.reservedAt = null;
            c.launchedAt = null;
            c.lostSince = null;
            c.task = null;
            c.needsCleanup = false;
        });
    }

    /** These of its former places are not released yet. */
    public NodeRecord withPreviousAllocations(List<Allocation> unreleased) {
        return copy(c -> c.previousAllocations = unreleased);
    }

    /** Its machine is lost since then, or not with null. */
    public NodeRecord lost(@Nullable Instant since) {
        return copy(c -> c.lostSince = since);
    }

    public NodeRecord withAllocation(Allocation claim) {
        return copy(c -> c.allocation = claim);
    }

    /** When the pool first made the claim and first ran the executor; what is known already stays. */
    public NodeRecord withTimes(@Nullable Instant reserved, @Nullable Instant started) {
        return copy(c -> {
            c.reservedAt = reservedAt == null ? reserved : reservedAt;
            c.launchedAt = launchedAt == null ? started : launchedAt;
        });
    }

    private NodeRecord copy(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new NodeRecord(
                id,
                draft.allocation,
                rack,
                tokens,
                draft.generation,
                draft.specVersion,
                draft.goodSpecVersion,
                draft.restarts,
                draft.run,
                draft.joined,
                draft.launched,
                draft.reservedAt,
                draft.launchedAt,
                draft.task,
                draft.leaving,
                draft.needsCleanup,
                draft.replaces,
                draft.previousAllocations,
                draft.evacuating,
                draft.lostSince);
    }

    /** What of a record changes in its life. */
    private static final class Draft {
        private Allocation allocation;
        private long generation;
        private long specVersion;
        private long goodSpecVersion;
        private long restarts;
        private boolean run;
        private boolean joined;
        private boolean launched;
        private @Nullable Instant reservedAt;
        private @Nullable Instant launchedAt;
        private @Nullable NodeTask task;
        private boolean leaving;
        private boolean needsCleanup;
        private @Nullable String replaces;
        private List<Allocation> previousAllocations;
        private boolean evacuating;
        private @Nullable Instant lostSince;

        Draft(NodeRecord of) {
            allocation = of.allocation;
            generation = of.generation;
            specVersion = of.specVersion;
            goodSpecVersion = of.goodSpecVersion;
            restarts = of.restarts;
            run = of.run;
            joined = of.joined;
            launched = of.launched;
            reservedAt = of.reservedAt;
            launchedAt = of.launchedAt;
            task = of.task;
            leaving = of.leaving;
            needsCleanup = of.needsCleanup;
            replaces = of.replaces;
            previousAllocations = of.previousAllocations;
            evacuating = of.evacuating;
            lostSince = of.lostSince;
        }

        void switchTo(boolean shouldRun) {
            run = shouldRun;
            evacuating = false;
        }

        void join() {
            joined = true;
            replaces = null;
        }
    }

    public static String key(NodeId id) {
        return "nodes/" + id;
    }

    @Override
    public String key() {
        return key(id);
    }
}
