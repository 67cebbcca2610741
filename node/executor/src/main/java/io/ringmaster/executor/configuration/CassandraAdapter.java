package io.ringmaster.executor.configuration;

import io.ringmaster.model.node.NodeTarget;
import java.util.List;
import java.util.Map;

/** The differences between Cassandra's major versions. */
public interface CassandraAdapter {
    /** The parameters of cassandra.yaml that Ringmaster sets for every node, whatever its preset. */
    Map<String, Object> essentials(NodeTarget target, NodeAddress address, NodeFiles files, boolean joined);

    /** The parameters that the target's preset sets; the spec may override each. */
    Map<String, Object> presetParameters(NodeTarget target);

    /** The JVM options that this version needs. */
    List<String> requiredOptions();
}
