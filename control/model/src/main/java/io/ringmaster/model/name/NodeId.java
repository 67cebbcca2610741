package io.ringmaster.model.name;

import java.util.regex.Pattern;

/**
 * The id of one Cassandra node: {@code rides/dc1/node-0}. The index is fixed for the node's life and is never given to
 * another place in the ring.
 */
public record NodeId(ClusterName cluster, DatacenterName datacenter, int index) implements Name, Comparable<NodeId> {
    private static final Pattern FORM = Pattern.compile("([^/]+)/([^/]+)/node-(\\d{1,6})");

    public NodeId {
        if (index < 0) {
            throw new IllegalArgumentException("node index " + index + " must not be negative");
        }
    }

    /** Parses {@code cluster/datacenter/node-N}. */
    public static NodeId of(String text) {
        var m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("node '" + text + "' must look like rides/dc1/node-0");
        }
        return new NodeId(new ClusterName(m.group(1)), new DatacenterName(m.group(2)), Integer.parseInt(m.group(3)));
    }

    @Override
    public String value() {
        return cluster + "/" + datacenter + "/node-" + index;
    }

    /** {@code dc1/node-0}: enough where the cluster is known. */
    public String inCluster() {
        return datacenter + "/" + shortName();
    }

    /** {@code node-0}: enough where cluster and datacenter are known. */
    public String shortName() {
        return "node-" + index;
    }

    @Override
    public int compareTo(NodeId other) {
        int byCluster = cluster.compareTo(other.cluster);
        int byPlace = byCluster == 0 ? datacenter.compareTo(other.datacenter) : byCluster;
        return byPlace == 0 ? Integer.compare(index, other.index) : byPlace;
    }

    @Override
    public String toString() {
        return value();
    }
}
