package io.ringmaster.model.record;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import java.time.Instant;
import java.util.List;
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
        @Nullable Instant launchedAt)
        implements StoredRecord {

    public NodeRecord {
        tokens = List.copyOf(tokens);
    }

    /** Its target is decided anew, to be made from this version of the spec. */
    public NodeRecord decide(long version) {
        return new NodeRecord(
                id,
                allocation,
                rack,
                tokens,
                generation + 1,
                version,
                goodSpecVersion,
                restarts,
                true,
                joined,
                true,
                reservedAt,
                launchedAt);
    }

    /** It was seen NORMAL. */
    public NodeRecord seenNormal() {
        return new NodeRecord(
                id,
                allocation,
                rack,
                tokens,
                generation,
                specVersion,
                goodSpecVersion,
                restarts,
                run,
                true,
                launched,
                reservedAt,
                launchedAt);
    }

    /** It is NORMAL with the version that its target is made from. */
    public NodeRecord proven() {
        return new NodeRecord(
                id,
                allocation,
                rack,
                tokens,
                generation,
                specVersion,
                specVersion,
                restarts,
                run,
                true,
                launched,
                reservedAt,
                launchedAt);
    }

    /** Its executor is to go; only its volume stays. */
    public NodeRecord takenAway() {
        return new NodeRecord(
                id,
                allocation,
                rack,
                tokens,
                generation + 1,
                specVersion,
                goodSpecVersion,
                restarts,
                false,
                joined,
                false,
                reservedAt,
                launchedAt);
    }

    public NodeRecord withAllocation(Allocation claim) {
        return new NodeRecord(
                id,
                claim,
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
                launchedAt);
    }

    /** When the pool first made the claim and first ran the executor; what is known already stays. */
    public NodeRecord withTimes(@Nullable Instant reserved, @Nullable Instant started) {
        return new NodeRecord(
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
                reservedAt == null ? reserved : reservedAt,
                launchedAt == null ? started : launchedAt);
    }

    public static String key(NodeId id) {
        return "nodes/" + id;
    }

    @Override
    public String key() {
        return key(id);
    }
}
