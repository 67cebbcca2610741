package io.ringmaster.core.spec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parameters and options that a spec may not set although Cassandra or the JVM accepts them, each with the reason. */
final class Refusals {
    private static final String CHOSEN = "Ringmaster chooses it for each node";
    private static final String VOLUME =
            "all data stays in the node's volume; elsewhere it would be lost with the machine's other files";
    private static final String ADDRESSES = "nodes listen on the address that the pool gives them";

    /** Parameters of cassandra.yaml that Ringmaster owns. */
    static final Map<String, String> PARAMETERS = new LinkedHashMap<>();

    /** Refused options of the JVM, as patterns. */
    private static final Map<Pattern, String> OPTIONS = new LinkedHashMap<>();

    private static final Pattern SECRET =
            Pattern.compile("(?i).*(password|passphrase|passwd|secret|private_?key|api_?key|access_?key|token)");

    static {
        PARAMETERS.put("cluster_name", "it is the field cluster");
        for (String name : new String[] {
            "listen_address", "listen_interface", "listen_interface_prefer_ipv6", "broadcast_address",
            "listen_on_broadcast_address", "rpc_address", "rpc_interface", "rpc_interface_prefer_ipv6",
            "broadcast_rpc_address"
        }) {
            PARAMETERS.put(name, ADDRESSES);
        }
        for (String name :
                new String[] {"storage_port", "ssl_storage_port", "native_transport_port", "native_transport_port_ssl"
                }) {
            PARAMETERS.put(name, CHOSEN + ", so that several share a machine");
        }
        PARAMETERS.put(
                "seed_provider", "the seeds come from the server; their number is datacenters.<datacenter>.seeds");
        for (String name : new String[] {"endpoint_snitch", "initial_location_provider", "node_proximity"}) {
            PARAMETERS.put(name, "datacenter and rack follow from the placement of a node");
        }
        for (String name : new String[] {
            "initial_token",
            "num_tokens",
            "partitioner",
            "allocate_tokens_for_keyspace",
            "allocate_tokens_for_local_replication_factor"
        }) {
            PARAMETERS.put(name, "tokens are computed in advance, so that nodes can start at the same time");
        }
        PARAMETERS.put("auto_bootstrap", "a node that joins without its data would miss rows");
        for (String name : new String[] {
            "data_file_directories",
            "local_system_data_file_directory",
            "commitlog_directory",
            "hints_directory",
            "saved_caches_directory",
            "cdc_raw_directory"
        }) {
            PARAMETERS.put(name, VOLUME);
        }

        String code = "it would run other code in the node or on the machine";
        option(
                "-Xm[sx].*|-XX:(Max|Initial|Min)HeapSize=.*|-XX:(Max|Min|Initial)RAM.*",
                "the heap is the field node.heap");
        option("-XX:[+-]Use\\w*GC", "the collector is the field jvm.collector");
        option("-(javaagent|agentpath|agentlib|Xrun|Xdebug).*|-Xbootclasspath.*|--patch-module.*", code);
        option("-XX:On(OutOfMemory)?Error=.*|-XX:(Flags|VMOptionsFile)=.*|@.*", code);
        option(
                "-cp.*|-classpath.*|--class-path.*|-jar.*|-p|--module.*|-Djava\\.class\\.path=.*",
                "the class path is Ringmaster's");
        option(
                "-Dcom\\.sun\\.management\\..*|-Dcassandra\\.jmx\\..*|-Djava\\.rmi\\..*|-XX:\\+ManagementServer",
                "it would open a port; nodes are managed over a socket file");
        option("-XX:SharedArchiveFile=.*|-XX:ArchiveClassesAtExit=.*|-Xshare:.*", "the class archive is Ringmaster's");
        option(
                "-Dcassandra\\.(auto_bootstrap|join_ring|initial_token|replace_.*|override_decommission|consistent\\..*|load_ring_state|unsafesystem|allow_unsafe_.*)(=.*)?",
                "how a node joins the ring is decided by a plan");
        option(
                "-Dcassandra\\.(config|config\\..*|settings\\..*|storagedir|logdir|storage_port|ssl_storage_port|native_transport_port|start_native_transport|partitioner)(=.*)?|-Dcassandra-rackdc.*|-Dcassandra-foreground.*|-Dlogback\\..*",
                CHOSEN);
        option("-Dringmaster\\.(?!park_idle_workers=(true|false)$).*", "it belongs to Ringmaster");
        option("-Djava\\.security\\.(manager|policy)=.*", "it would change what code in the node may do");
    }

    private Refusals() {}

    private static void option(String pattern, String why) {
        OPTIONS.put(Pattern.compile(pattern), why);
    }

    static Optional<String> whyNotOption(String option) {
        return OPTIONS.entrySet().stream()
                .filter(e -> e.getKey().matcher(option).matches())
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Whether a name is the name of a secret, which a spec must not hold in clear text. */
    static boolean namesSecret(String name) {
        return SECRET.matcher(name).matches();
    }

    /** Whether a text looks like a secret. */
    static boolean looksSecret(String value) {
        return value.contains("-----BEGIN") && value.contains("PRIVATE KEY");
    }
}
