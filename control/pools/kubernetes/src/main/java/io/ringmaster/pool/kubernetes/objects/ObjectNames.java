package io.ringmaster.pool.kubernetes.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Labels, annotations and names. The three objects of an allocation have its id as their name. */
public final class ObjectNames {
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String RINGMASTER = "ringmaster";
    public static final String DATACENTER = "ringmaster.io/datacenter";
    /** On the objects of a cluster, and on Secrets with its passwords, which people make. */
    public static final String CLUSTER = "ringmaster.io/cluster";
    /** On a claim: the allocation and what is to run in it, in JSON. */
    public static final String NOTES = "ringmaster.io/allocation";
    /** On a pod: the generation of its launch, and the resources that it was launched with, in JSON. */
    public static final String GENERATION = "ringmaster.io/generation";

    /** On a pod whose executor speaks TLS: {@code true}. */
    public static final String DOOR = "ringmaster.io/door";

    public static final String RESOURCES = "ringmaster.io/resources";

    /** The component of a pod: a node, or what empties a volume before it is given back. */
    static final String COMPONENT = "app.kubernetes.io/component";

    private static final String NODE = "node";
    private static final String WIPE = "wipe";

    /** On a volume: the uid of the claim for which it was emptied. */
    public static final String EMPTIED = "ringmaster.io/emptied";

    private ObjectNames() {}

    public static @Nullable String emptiedOf(HasMetadata volume) {
        Map<String, String> annotations = volume.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(EMPTIED);
    }

    static Map<String, String> ofNode(Allocation allocation) {
        return with(labels(allocation), COMPONENT, NODE);
    }

    static Map<String, String> ofWipe(Allocation allocation) {
        return with(labels(allocation), COMPONENT, WIPE);
    }

    private static Map<String, String> with(Map<String, String> labels, String key, String value) {
        Map<String, String> more = new HashMap<>(labels);
        more.put(key, value);
        return more;
    }

    /** Whether a pod only empties its volume. */
    public static boolean isWipe(HasMetadata pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels != null && WIPE.equals(labels.get(COMPONENT));
    }

    /** The labels that every object of a pool has. */
    public static Map<String, String> ofPool(DatacenterName datacenter) {
        return Map.of(MANAGED_BY, RINGMASTER, DATACENTER, datacenter.value());
    }

    /** The labels that every object of a cluster here has. */
    public static Map<String, String> ofCluster(ClusterName cluster, DatacenterName datacenter) {
        return with(with(ofPool(datacenter), "app.kubernetes.io/name", "cassandra"), CLUSTER, cluster.value());
    }

    /** The labels by which the pods of a cluster's nodes are selected, without those that empty volumes. */
    public static Map<String, String> nodesOf(ClusterName cluster, DatacenterName datacenter) {
        return with(ofCluster(cluster, datacenter), COMPONENT, NODE);
    }

    /** The name of the disruption budget of a cluster: no allocation has it, since theirs end in the node's number. */
    public static String budget(ClusterName cluster, DatacenterName datacenter) {
        return cluster + "-" + datacenter;
    }

    static Map<String, String> labels(Allocation allocation) {
        return with(
                ofCluster(allocation.node().cluster(), allocation.node().datacenter()),
                "ringmaster.io/node",
                allocation.node().shortName());
    }

    /** Empty for an object of others. */
    public static Optional<AllocationId> allocation(HasMetadata object, DatacenterName datacenter) {
        Map<String, String> labels = object.getMetadata().getLabels();
        if (labels == null || !labels.entrySet().containsAll(ofPool(datacenter).entrySet())) {
            return Optional.empty();
        }
        try {
            return Optional.of(new AllocationId(object.getMetadata().getName()));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // somebody gave the labels to an object with another kind of name
        }
    }
}
