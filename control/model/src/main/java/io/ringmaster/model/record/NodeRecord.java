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

    public static String key(NodeId id) {
        return "nodes/" + id;
    }

    @Override
    public String key() {
        return key(id);
    }
}
