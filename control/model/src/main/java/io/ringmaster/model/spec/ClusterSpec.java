package io.ringmaster.model.spec;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as declared. Changes are applied to the datacenters in the order of {@code datacenters}.
 *
 * @param cassandraVersion a released version, such as {@code 5.0.9}
 * @param cassandraYaml parameters of cassandra.yaml that override what Ringmaster generates
 * @param repair null without scheduled repairs
 * @param replace null without automatic replacement
 */
public record ClusterSpec(
        ClusterName name,
        String cassandraVersion,
        Preset preset,
        List<DatacenterSpec> datacenters,
        NodeResources resources,
        JvmSpec jvm,
        Map<String, Object> cassandraYaml,
        PlacementSpec placement,
        @Nullable RepairSchedule repair,
        @Nullable AutomaticReplacement replace) {

    public ClusterSpec {
        datacenters = List.copyOf(datacenters);
        cassandraYaml = Ordered.copy(cassandraYaml);
    }

    /** A spec without scheduled repairs and automatic replacement. */
    public ClusterSpec(
            ClusterName name,
            String cassandraVersion,
            Preset preset,
            List<DatacenterSpec> datacenters,
            NodeResources resources,
            JvmSpec jvm,
            Map<String, Object> cassandraYaml,
            PlacementSpec placement) {
        this(name, cassandraVersion, preset, datacenters, resources, jvm, cassandraYaml, placement, null, null);
    }

    public ClusterSpec withDatacenters(List<DatacenterSpec> others) {
        return new ClusterSpec(
                name, cassandraVersion, preset, others, resources, jvm, cassandraYaml, placement, repair, replace);
    }

    public ClusterSpec withCassandraYaml(Map<String, Object> parameters) {
        return new ClusterSpec(
                name, cassandraVersion, preset, datacenters, resources, jvm, parameters, placement, repair, replace);
    }

    public ClusterSpec with(@Nullable RepairSchedule schedule) {
        return new ClusterSpec(
                name,
                cassandraVersion,
                preset,
                datacenters,
                resources,
                jvm,
                cassandraYaml,
                placement,
                schedule,
                replace);
    }

    public ClusterSpec with(@Nullable AutomaticReplacement replacement) {
        return new ClusterSpec(
                name,
                cassandraVersion,
                preset,
                datacenters,
                resources,
                jvm,
                cassandraYaml,
                placement,
                repair,
                replacement);
    }

    /** Whether the nodes accept clients by the native protocol; tools for offline work may close it. */
    public boolean opensCql() {
        return opensCql(cassandraYaml);
    }

    /** Whether a node with these parameters accepts clients by the native protocol. */
    public static boolean opensCql(Map<String, Object> cassandraYaml) {
        return !Boolean.FALSE.equals(cassandraYaml.get("start_native_transport"));
    }

    public Optional<DatacenterSpec> datacenter(DatacenterName dc) {
        return datacenters.stream().filter(d -> d.name().equals(dc)).findFirst();
    }

    public List<DatacenterName> datacenterNames() {
        return datacenters.stream().map(DatacenterSpec::name).toList();
    }

    public int totalNodes() {
        return datacenters.stream().mapToInt(DatacenterSpec::nodes).sum();
    }
}
