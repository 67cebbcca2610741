package io.ringmaster.executor.configuration;

import io.ringmaster.executor.configuration.PresetSetting.Place;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTargetBuilder;
import io.ringmaster.model.spec.RenamedParameters;
import io.ringmaster.model.spec.TlsSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Generates configurations from the essentials, the preset and the spec; later values override earlier ones. */
public final class Configurations {
    /** Each daemon has it in its command, by which it is found. */
    public static final String MAIN_CLASS = "io.ringmaster.companion.Launch";

    /** The identity and place of a node. Other fields of the spec define them, so cassandra_yaml must not. */
    private static final Set<String> RESERVED = Set.of(
            "cluster_name",
            "initial_token",
            "auto_bootstrap",
            "listen_address",
            "listen_interface",
            "broadcast_address",
            "storage_port",
            "ssl_storage_port",
            "rpc_address",
            "rpc_interface",
            "broadcast_rpc_address",
            "native_transport_port",
            "seed_provider",
            "endpoint_snitch",
            "data_file_directories",
            "commitlog_directory",
            "hints_directory",
            "saved_caches_directory");

    private Configurations() {}

    /** A problem if a required engine is not installed: Cassandra would show the tables in it as empty. */
    public static Optional<Problem> missing(NodeTarget target, Installation installation) {
        return Installation.needsEngine(target) && installation.engine() == null
                ? Optional.of(new Problem(
                        ErrorCode.CONFIGURATION_REJECTED,
                        "engine.rocksdb",
                        "the RocksDB engine is not installed on the machine of " + target.node(),
                        "build Ringmaster with ./dev build, which makes the folder engine, and install it there"))
                : Optional.empty();
    }

    /** A problem if the spec sets a parameter that is reserved for Ringmaster. */
    public static Optional<Problem> problem(NodeTarget target) {
        return target.cassandraYaml().keySet().stream()
                .filter(RESERVED::contains)
                .findFirst()
                .map(name -> new Problem(
                        ErrorCode.CONFIGURATION_REJECTED,
                        "cassandra_yaml." + name,
                        "is reserved: Ringmaster sets it",
                        "remove it from the spec"));
    }

    /** @param joined whether this node was NORMAL before; the seed provider needs to know */
    public static Configuration of(
            NodeTarget target, NodeAddress address, NodeFiles files, Installation installation, boolean joined) {
        CassandraAdapter adapter = adapter(target.cassandraVersion());
        Map<String, String> generated = files(target, address, files, adapter, joined);
        List<String> command = command(target, files, installation, adapter, joined);
        return new Configuration(
                generated,
                List.of("data", "commitlog", "cdc_raw", "hints", "saved_caches"),
                command,
                environment(target),
                fingerprint(target, address, files, installation, adapter));
    }

    private static CassandraAdapter adapter(String version) {
        if (version.startsWith("5.0.")) {
            return new Cassandra50();
        }
        throw new IllegalArgumentException("Cassandra " + version + " is not supported: this executor runs 5.0.x");
    }

    private static Map<String, String> files(
            NodeTarget target, NodeAddress address, NodeFiles files, CassandraAdapter adapter, boolean joined) {
        Map<String, String> generated = new TreeMap<>();
        generated.put("conf/cassandra.yaml", Yaml.text(yaml(target, address, files, adapter, joined)));
        generated.put(
                "conf/cassandra-rackdc.properties",
                "dc=" + target.node().datacenter() + "\nrack=" + target.rack() + "\nprefer_local=false\n");
        generated.put("conf/logback.xml", Logback.xml(files));
        generated.put("conf/seed-servers", files.seedServers(target.seedProviderUrls()));
        return generated;
    }

    private static Map<String, Object> yaml(
            NodeTarget target, NodeAddress address, NodeFiles files, CassandraAdapter adapter, boolean joined) {
        Map<String, Object> yaml = new LinkedHashMap<>(adapter.essentials(target, address, files, joined));
        yaml.putAll(adapter.presetParameters(target));
        // Cassandra refuses a file that has a parameter by its former and by its current name
        yaml.keySet()
                .removeAll(RenamedParameters.replacedBy(target.cassandraYaml().keySet()));
        override(yaml, target.cassandraYaml());
        if (!"periodic".equalsIgnoreCase(String.valueOf(yaml.get("commitlog_sync")))) {
            // Cassandra refuses a period beside another kind of sync, and the spec has none then
            yaml.keySet().removeAll(Set.of("commitlog_sync_period", "periodic_commitlog_sync_lag_block"));
        }
        return yaml;
    }

    /**
     * Sets the given values. A map that is set here, too, is merged entry by entry, so that a spec that sets one
     * start-up check, or one property of it, does not switch off another one.
     */
    private static void override(Map<String, Object> yaml, Map<?, ?> given) {
        given.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (yaml.get(name) instanceof Map<?, ?> known && (value == null || value instanceof Map<?, ?>)) {
                Map<String, Object> merged = new LinkedHashMap<>();
                override(merged, known);
                override(merged, value == null ? Map.of() : (Map<?, ?>) value);
                yaml.put(name, merged);
            } else {
                yaml.put(name, value);
            }
        });
    }

    private static List<String> command(
            NodeTarget target, NodeFiles files, Installation installation, CassandraAdapter adapter, boolean joined) {
        List<String> command = new ArrayList<>();
        command.add(installation.java().toString());
        command.addAll(JvmOptions.of(target, files, installation, adapter));
        if (target.firstCreation()) {
            // safe only while no node of the cluster holds data: there is nothing to stream and no peer to wait for
            command.add("-Dcassandra.auto_bootstrap=false");
            // a row written now would be missing on a node that joins later without bootstrap
            command.add("-Dcassandra.start_native_transport=false");
            // there is no login to read yet, and each cache of them would try five times, once a second (Launch)
            command.add("-Dcassandra.auth_cache.warming.max_retries=0");
        }
        if (!target.firstCreation()) {
            // an interrupted bootstrap starts from its beginning: what was written since it was interrupted was sent
            // to the other replicas alone, and ranges that it had received would lack that
            command.add("-Dcassandra.reset_bootstrap_progress=true");
        }
        if (target.replaces() != null) {
            command.add("-Dcassandra.replace_address_first_boot=" + target.replaces());
            // how long the replacement listens for a heartbeat of the dead node: a minute by default, never less than
            // twice the ring delay; 10 s are enough, as all nodes see the dead node down already
            command.add("-Dcassandra.broadcast_interval_ms=10000");
            // gossip still carries the dead node's schema version: after a later change no node can send that schema
            command.add("-Dcassandra.skip_schema_check_for_endpoints=" + target.replaces());
            if (!joined) {
                // a replacement that was interrupted has stored the dead node as a peer. Where every node has started
                // since, gossip holds no state of the dead one, and Cassandra refuses to replace a node that it knows
                // from the volume alone; on an empty volume it asks the others, so it must here, too
                command.add("-Dcassandra.load_ring_state=false");
            }
        }
        command.add("-cp");
        command.add(installation.classPath(target));
        command.add(MAIN_CLASS);
        return command;
    }

    private static Map<String, String> environment(NodeTarget target) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("LANG", "C.UTF-8");
        environment.put("LC_ALL", "C.UTF-8");
        PresetSetting.words(Place.ENVIRONMENT, target).forEach(word -> {
            String[] variable = word.split("=", 2);
            environment.put(variable[0], variable[1]);
        });
        if (Installation.needsEngine(target)) {
            environment.putAll(Allocator.environment());
        }
        return environment;
    }

    /**
     * The target without what may change under a running daemon: generation, counters, seed servers, first start.
     * What says the same in two forms, because a release wrote the field and another one did not, has one here.
     */
    public static NodeTarget lasting(NodeTarget target) {
        return NodeTargetBuilder.builder(target)
                .generation(0)
                .specVersion(0)
                .run(true)
                .restarts(0)
                .firstCreation(false)
                .joined(false)
                .replaces(null)
                .seedProviderUrls(List.of())
                .task(null)
                .transfer(null)
                .tls(TlsSpec.OFF.equals(target.tls()) ? null : target.tls())
                .build();
    }

    private static String fingerprint(
            NodeTarget target,
            NodeAddress address,
            NodeFiles files,
            Installation installation,
            CassandraAdapter adapter) {
        NodeTarget lasting = lasting(target);
        Installation anyInstallation =
                new Installation(installation.java(), installation.jars(), installation.companion(), null, null);
        String whole = files(lasting, address, files, adapter, true)
                + Json.text(JvmOptions.of(lasting, files, anyInstallation, adapter));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(whole.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
