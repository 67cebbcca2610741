package io.ringmaster.model.node;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state that an executor must reach; declarative, so that sending it twice is harmless. The executor keeps the
 * last target on disk and follows it while no server is reachable.
 *
 * @param generation grows with every change; an executor refuses an older one
 * @param run whether the daemon should run
 * @param restarts a counter; a higher value requests one restart
 * @param firstCreation whether the cluster was never complete: the node joins without bootstrap ({@code
 *     auto_bootstrap=false}), and accepts no clients
 * @param joined whether the node was NORMAL once and holds its part of the ring, so that it must not start on an
 *     empty volume
 * @param tokens the initial tokens; empty lets Cassandra choose
 * @param replaces the dead endpoint, {@code address:storage_port}, whose ranges the node takes over when it first
 *     joins; null for any other node
 * @param seedProviderUrls base URLs of the servers that know the seeds
 * @param task the task that the running daemon should do or have done, or null
 * @param transfer the task that the transfer program should do or have done, beside the other, or null
 * @param tls null for a node that talks to others in clear text
 */
@RecordBuilder
public record NodeTarget(
        NodeId node,
        long generation,
        long specVersion,
        boolean run,
        long restarts,
        boolean firstCreation,
        boolean joined,
        String cassandraVersion,
        Preset preset,
        RackName rack,
        NodePorts ports,
        List<String> tokens,
        @Nullable String replaces,
        NodeResources resources,
        JvmSpec jvm,
        Map<String, Object> cassandraYaml,
        List<String> seedProviderUrls,
        @Nullable NodeTask task,
        @Nullable NodeTask transfer,
        @Nullable TlsSpec tls) {

    public NodeTarget {
        Objects.requireNonNull(node, "node is missing");
        tokens = List.copyOf(tokens);
        cassandraYaml = Ordered.copy(cassandraYaml);
        seedProviderUrls = List.copyOf(seedProviderUrls);
    }

    /** The target of a node that talks to others in clear text. */
    public NodeTarget(
            NodeId node,
            long generation,
            long specVersion,
            boolean run,
            long restarts,
            boolean firstCreation,
            boolean joined,
            String cassandraVersion,
            Preset preset,
            RackName rack,
            NodePorts ports,
            List<String> tokens,
            @Nullable String replaces,
            NodeResources resources,
            JvmSpec jvm,
            Map<String, Object> cassandraYaml,
            List<String> seedProviderUrls,
            @Nullable NodeTask task,
            @Nullable NodeTask transfer) {
        this(
                node,
                generation,
                specVersion,
                run,
                restarts,
                firstCreation,
                joined,
                cassandraVersion,
                preset,
                rack,
                ports,
                tokens,
                replaces,
                resources,
                jvm,
                cassandraYaml,
                seedProviderUrls,
                task,
                transfer,
                null);
    }

    /** Where the node uses TLS. */
    public TlsSpec wantedTls() {
        return tls == null ? TlsSpec.OFF : tls;
    }

    /** Whether the node talks to others by TLS only, with a certificate of its own. */
    public boolean requiresInternodeTls() {
        return wantedTls().internode() == TlsMode.REQUIRED;
    }

    /** Whether the node accepts CQL clients by TLS, with a certificate of its own. */
    public ClientTlsMode clientTls() {
        return wantedTls().clients();
    }

    /** Whether the node needs a certificate to CQL clients. */
    public boolean encryptsCql() {
        return clientTls() != ClientTlsMode.OFF;
    }

    /** Whether the node accepts clients by the native protocol, once the cluster counts as created. */
    public boolean opensCql() {
        return ClusterSpec.opensCql(cassandraYaml);
    }

    /** This target with other parameters of {@code cassandra.yaml}. */
    public NodeTarget withCassandraYaml(Map<String, Object> parameters) {
        return NodeTargetBuilder.builder(this).cassandraYaml(parameters).build();
    }
}
