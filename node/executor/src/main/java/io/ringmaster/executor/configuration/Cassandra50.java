package io.ringmaster.executor.configuration;

import io.ringmaster.executor.configuration.PresetSetting.Place;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.ClientTlsMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Cassandra 5.0 on JDK 17. */
final class Cassandra50 implements CassandraAdapter {

    @Override
    public Map<String, Object> essentials(NodeTarget target, NodeAddress address, NodeFiles files, boolean joined) {
        Map<String, Object> yaml = new LinkedHashMap<>();
        yaml.put("cluster_name", target.node().cluster().value());
        yaml.put("num_tokens", target.tokens().isEmpty() ? 16 : target.tokens().size());
        boolean inheritsTokens =
                target.replaces() != null && !joined; // the replacement inherits the tokens of the dead node
        if (!target.tokens().isEmpty() && !inheritsTokens) {
            yaml.put("initial_token", String.join(",", target.tokens()));
        }
        yaml.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
        yaml.put("endpoint_snitch", "GossipingPropertyFileSnitch");
        yaml.put("listen_address", address.listen());
        if (address.isTranslated()) {
            yaml.put("broadcast_address", address.advertise());
            yaml.put("broadcast_rpc_address", address.advertise());
        }
        yaml.put("storage_port", target.ports().storage());
        yaml.put("ssl_storage_port", target.ports().sslStorage());
        yaml.put("rpc_address", address.listen());
        yaml.put("native_transport_port", target.ports().nativeTransport());
        yaml.put("seed_provider", List.of(seedProvider(target, address, files, joined)));
        yaml.put("data_file_directories", List.of(files.directory("data").toString()));
        yaml.put("commitlog_directory", files.directory("commitlog").toString());
        yaml.put("cdc_raw_directory", files.directory("cdc_raw").toString());
        yaml.put("hints_directory", files.directory("hints").toString());
        yaml.put("saved_caches_directory", files.directory("saved_caches").toString());
        if (target.requiresInternodeTls()) {
            yaml.putAll(TlsParameters.internode(target, files));
        }
        if (target.clientTls() != ClientTlsMode.OFF) {
            yaml.putAll(TlsParameters.clients(target.clientTls(), files));
        }
        return yaml;
    }

    private static Map<String, Object> seedProvider(
            NodeTarget target, NodeAddress address, NodeFiles files, boolean joined) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("node", target.node().value());
        parameters.put("endpoint", address.advertise() + ":" + target.ports().storage());
        parameters.put("servers_file", files.seedServers().toString());
        parameters.put("cache_file", files.seedCache().toString());
        parameters.put("joined", String.valueOf(joined));
        return Map.of(
                "class_name",
                "io.ringmaster.companion.SeedProvider",
                "parameters",
                List.of(new LinkedHashMap<>(parameters)));
    }

    /** The values of Cassandra's shipped yaml where its code has no default, and those of the preset. */
    @Override
    public Map<String, Object> presetParameters(NodeTarget target) {
        Map<String, Object> yaml = new LinkedHashMap<>();
        yaml.put("commitlog_sync", "periodic");
        yaml.put("commitlog_sync_period", "10000ms");
        yaml.put("disk_failure_policy", "stop");
        yaml.put("commit_failure_policy", "stop");
        // a volume that missed deletions for longer than a table's gc_grace_seconds would bring the rows back
        yaml.put("startup_checks", Map.of("check_data_resurrection", Map.of("enabled", true)));
        if (target.tokens().isEmpty()) {
            yaml.put("allocate_tokens_for_local_replication_factor", 3);
        }
        PresetSetting.words(Place.CASSANDRA_YAML, target).forEach(word -> {
            String[] parameter = word.split("=", 2);
            yaml.put(parameter[0], parameter[1].matches("\\d+") ? Integer.valueOf(parameter[1]) : parameter[1]);
        });
        return yaml;
    }

    /** With the access to JDK internals that Cassandra 5.0 needs on JDK 17, from its own jvm17-server.options. */
    @Override
    public List<String> requiredOptions() {
        return REQUIRED;
    }

    private static final List<String> REQUIRED = List.of(
            // how late the heartbeat on the volume may be: a restart must not count a minute more than it takes
            "-Dcheck_data_resurrection_heartbeat_period_milli=10000",
            "-Djava.security.manager=allow",
            "-Djdk.attach.allowAttachSelf=true",
            "-Djava.net.preferIPv4Stack=true",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED",
            "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
            "--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED",
            "--add-exports=java.rmi/sun.rmi.transport.tcp=ALL-UNNAMED",
            "--add-exports=java.sql/java.sql=ALL-UNNAMED",
            "--add-exports=java.base/java.lang.ref=ALL-UNNAMED",
            "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.module=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.loader=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.math=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.module=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.util.jar=ALL-UNNAMED",
            "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.math=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED");
}
