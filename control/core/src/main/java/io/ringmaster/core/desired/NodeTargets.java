package io.ringmaster.core.desired;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Objects;

/** Derives the target of a node from the records alone, so that every leader derives the same. */
public final class NodeTargets {
    private NodeTargets() {}

    /** @throws IllegalStateException if the spec that the record refers to is gone */
    public static NodeTarget of(View view, NodeRecord node) {
        return of(view, node, spec(view, node));
    }

    private static ClusterSpec spec(View view, NodeRecord node) {
        return view.spec(node.id().cluster(), node.specVersion())
                .orElseThrow(() -> new IllegalStateException(
                        "spec " + node.specVersion() + " of " + node.id() + " is not in the store"))
                .spec();
    }

    private static NodeTarget of(View view, NodeRecord node, ClusterSpec spec) {
        return new NodeTarget(
                node.id(),
                node.generation(),
                node.specVersion(),
                node.run(),
                node.restarts(),
                !Seeds.created(view, node.id().cluster()),
                node.joined(),
                spec.cassandraVersion(),
                spec.preset(),
                node.rack(),
                node.allocation().ports(),
                node.tokens(),
                node.replaces(),
                spec.resources(),
                spec.jvm(),
                spec.cassandraYaml(),
                view.seedUrls(),
                node.task(),
                node.transfer(),
                spec.tls());
    }

    /**
     * The version of Cassandra that the node is launched with.
     *
     * @throws IllegalStateException if the spec that the record refers to is gone
     */
    public static String cassandraVersion(View view, NodeRecord node) {
        return spec(view, node).cassandraVersion();
    }

    /** Whether the two specs differ in anything that concerns a single node. */
    public static boolean differ(ClusterSpec one, ClusterSpec other) {
        return !one.cassandraVersion().equals(other.cassandraVersion())
                || one.preset() != other.preset()
                || !one.resources().equals(other.resources())
                || !one.jvm().equals(other.jvm())
                || !one.cassandraYaml().equals(other.cassandraYaml())
                || !Objects.equals(one.tls(), other.tls());
    }
}
