package io.ringmaster.lab.ring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The configuration and the start command of one node of stock Cassandra.
 *
 * @param home folder of the node
 * @param jars folder of Cassandra's jars
 * @param heapMiB heap, all of it from the start
 */
public record StockNode(Path home, Path jars, Jvm jvm, int heapMiB) {

    /**
     * The place of a node.
     *
     * @param seeds addresses of the seeds
     */
    public record Place(String address, String datacenter, String rack, List<String> seeds) {
        public Place {
            seeds = List.copyOf(seeds);
        }
    }

    public Path systemLog() {
        return home.resolve("system.log");
    }

    /** What the JVM prints: why it cannot start. */
    public Path output() {
        return home.resolve("stdout.log");
    }

    /**
     * Writes the configuration.
     *
     * @param settings of cassandra.yaml, name to value; they replace those of the same name
     * @param more JVM options behind all others
     * @return the start command; the node runs in the foreground
     */
    public List<String> command(Place place, Map<String, String> settings, List<String> more) throws IOException {
        Path conf = Files.createDirectories(home.resolve("conf"));
        Path yaml = conf.resolve("cassandra.yaml");
        Path rack = conf.resolve("cassandra-rackdc.properties");
        Path logback = conf.resolve("logback.xml");
        Files.writeString(yaml, yaml(place, settings));
        Files.writeString(rack, "dc=" + place.datacenter() + "\nrack=" + place.rack() + "\n");
        Files.writeString(logback, logback());
        List<String> command = new ArrayList<>(jvm.command(heapMiB));
        command.addAll(more);
        command.add("-Dcassandra.config=" + yaml.toUri());
        command.add("-Dcassandra-rackdc.properties=" + rack.toUri());
        command.add("-Dlogback.configurationFile=" + logback);
        command.add("-Dcassandra.logdir=" + home);
        command.add("-Dcassandra.storagedir=" + home);
        command.add("-Dcassandra-foreground=yes");
        command.addAll(List.of("-cp", jars + "/*", "org.apache.cassandra.service.CassandraDaemon"));
        return command;
    }

    /**
     * The settings of Cassandra's own cassandra.yaml that differ from the defaults of its code, and the node's
     * addresses.
     */
    private String yaml(Place place, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
        all.put("commitlog_sync", "periodic");
        all.put("commitlog_sync_period", "10000ms");
        all.put("disk_failure_policy", "stop");
        all.put("commit_failure_policy", "stop");
        all.put("endpoint_snitch", "GossipingPropertyFileSnitch");
        all.put("seed_provider", seedProvider(place.seeds()));
        all.put("listen_address", place.address());
        all.put("rpc_address", place.address());
        all.put("data_file_directories", "[" + home.resolve("data") + "]");
        for (String folder : List.of("commitlog", "cdc_raw", "hints", "saved_caches")) {
            all.put(folder + "_directory", home.resolve(folder).toString());
        }
        all.putAll(settings);
        return all.entrySet().stream()
                .map(setting -> setting.getKey() + ": " + setting.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private static String seedProvider(List<String> seeds) {
        String addresses = seeds.stream().map(seed -> seed + ":7000").collect(Collectors.joining(","));
        return "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: \"" + addresses
                + "\"}]}]";
    }

    private String logback() {
        return """
                <configuration><appender name="F" class="ch.qos.logback.core.FileAppender"><file>%s</file>
                <encoder><pattern>%%-5level [%%thread] %%date{ISO8601} %%F:%%L - %%msg%%n</pattern></encoder></appender>
                <root level="INFO"><appender-ref ref="F"/></root></configuration>
                """
                .formatted(systemLog());
    }
}
