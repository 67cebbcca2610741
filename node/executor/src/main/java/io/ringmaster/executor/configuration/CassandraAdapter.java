package io.ringmaster.executor.configuration;

import io.ringmaster.model.node.NodeTarget;
import java.util.List;
import java.util.Map;

/** What differs from one Cassandra major version to the next. */
public interface CassandraAdapter {
    /** Parameters of cassandra.yaml that Ringmaster must set to run the node, whatever the preset. */
    Map<String, Object> essentials(NodeTarget target, NodeFiles files, boolean joined);

    /** Parameters that the target's preset sets; the spec may change each. */
    Map<String, Object> presetParameters(NodeTarget target);

    /** JVM options that this version needs on the JVM it runs on. */
    List<String> requiredOptions();

    /** Supports {@code major.minor} of this adapter only. */
    static CassandraAdapter of(String version) {
        if (version.startsWith("5.0.")) {
            return new Cassandra50();
        }
        throw new IllegalArgumentException("Cassandra " + version + " is not supported: this executor runs 5.0.x");
    }
}
