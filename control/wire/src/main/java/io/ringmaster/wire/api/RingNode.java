package io.ringmaster.wire.api;

import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.OperatingMode;
import java.util.List;

/**
 * A node and its tokens.
 *
 * @param joined whether it was NORMAL once
 * @param leaving whether an unfinished plan removes it or replaces it
 * @param tokens of Murmur3Partitioner, ascending
 */
public record RingNode(
        NodeId node, RackName rack, OperatingMode mode, boolean joined, boolean leaving, List<String> tokens) {
    public RingNode {
        tokens = List.copyOf(tokens);
    }
}
