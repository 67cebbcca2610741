package io.ringmaster.model.spec;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.soabase.recordbuilder.core.RecordBuilder;
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
 * @param backup null without scheduled backups
 * @param restore null for a cluster that starts empty
 * @param tls null for a cluster whose nodes talk in clear text
 * @param roles the declared roles; null for a cluster that lets every CQL client in
 */
@RecordBuilder
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
        @Nullable AutomaticReplacement replace,
        @Nullable BackupSchedule backup,
        @Nullable RestoreSource restore,
        @Nullable TlsSpec tls,
        @Nullable List<RoleSpec> roles) {

    public ClusterSpec {
        datacenters = List.copyOf(datacenters);
        cassandraYaml = Ordered.copy(cassandraYaml);
        roles = roles == null ? null : List.copyOf(roles);
    }

    /** A spec without schedules, automatic replacement, TLS and roles, of a cluster that starts empty. */
    public ClusterSpec(
            ClusterName name,
            String cassandraVersion,
            Preset preset,
            List<DatacenterSpec> datacenters,
            NodeResources resources,
            JvmSpec jvm,
            Map<String, Object> cassandraYaml,
            PlacementSpec placement) {
        this(
                name,
                cassandraVersion,
                preset,
                datacenters,
                resources,
                jvm,
                cassandraYaml,
                placement,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    public ClusterSpec withDatacenters(List<DatacenterSpec> others) {
        return edit().datacenters(others).build();
    }

    public ClusterSpec withCassandraYaml(Map<String, Object> parameters) {
        return edit().cassandraYaml(parameters).build();
    }

    public ClusterSpec with(@Nullable RepairSchedule schedule) {
        return edit().repair(schedule).build();
    }

    public ClusterSpec with(@Nullable AutomaticReplacement replacement) {
        return edit().replace(replacement).build();
    }

    public ClusterSpec with(@Nullable BackupSchedule schedule) {
        return edit().backup(schedule).build();
    }

    public ClusterSpec with(@Nullable RestoreSource source) {
        return edit().restore(source).build();
    }

    public ClusterSpec with(@Nullable TlsSpec encryption) {
        return edit().tls(encryption).build();
    }

    /** This spec with declared roles; null lets every client in. */
    public ClusterSpec withRoles(@Nullable List<RoleSpec> declared) {
        return edit().roles(declared).build();
    }

    private ClusterSpecBuilder edit() {
        return ClusterSpecBuilder.builder(this);
    }

    /** Whether nodes accept CQL clients by TLS. */
    public boolean encryptsCql() {
        return tls != null && tls.encryptsCql();
    }

    /** Whether CQL clients log in. */
    public boolean requiresLogin() {
        return roles != null;
    }

    /** Whether nodes talk to each other by TLS only. */
    public boolean requiresInternodeTls() {
        return tls != null && tls.internode() == TlsMode.REQUIRED;
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
