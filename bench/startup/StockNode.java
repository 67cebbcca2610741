import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A node of stock Cassandra.
 *
 * @param home directory of the node
 * @param jars directory of Cassandra's jars
 * @param java path of the java program
 * @param seeds addresses of the seeds
 */
record StockNode(Path home, Path jars, String java, List<String> seeds) {

    /**
     * Writes the configuration and returns the start command.
     *
     * @param more further JVM options
     */
    List<String> command(Fleet.Place place, List<String> more) throws IOException {
        Path conf = Files.createDirectories(home.resolve("conf"));
        Files.writeString(conf.resolve("cassandra.yaml"), yaml(place));
        Files.writeString(
                conf.resolve("cassandra-rackdc.properties"),
                "dc=dc" + place.datacenter() + "\nrack=r" + (place.index() % Fleet.NODES_PER_DATACENTER + 1) + "\n");
        Files.writeString(conf.resolve("logback.xml"), logback());
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(StockOptions.ALL);
        command.addAll(List.of("-Xms512m", "-Xmx512m"));
        command.addAll(more);
        command.add("-Dcassandra.config=" + conf.resolve("cassandra.yaml").toUri());
        command.add("-Dcassandra-rackdc.properties="
                + conf.resolve("cassandra-rackdc.properties").toUri());
        command.add("-Dlogback.configurationFile=" + conf.resolve("logback.xml"));
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
    private String yaml(Fleet.Place place) {
        return """
                cluster_name: baseline
                num_tokens: 16
                allocate_tokens_for_local_replication_factor: 3
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                commitlog_sync: periodic
                commitlog_sync_period: 10000ms
                disk_failure_policy: stop
                commit_failure_policy: stop
                endpoint_snitch: GossipingPropertyFileSnitch
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters: [{seeds: "%1$s"}]
                listen_address: %2$s
                rpc_address: %2$s
                data_file_directories: [%3$s/data]
                commitlog_directory: %3$s/commitlog
                cdc_raw_directory: %3$s/cdc_raw
                hints_directory: %3$s/hints
                saved_caches_directory: %3$s/saved_caches
                """
                .formatted(
                        String.join(",", seeds.stream().map(s -> s + ":7000").toList()),
                        place.address(),
                        home);
    }

    private String logback() {
        return """
                <configuration><appender name="F" class="ch.qos.logback.core.FileAppender"><file>%s/system.log</file>
                <encoder><pattern>%%-5level [%%thread] %%date{ISO8601} %%F:%%L - %%msg%%n</pattern></encoder></appender>
                <root level="INFO"><appender-ref ref="F"/></root></configuration>
                """
                .formatted(home);
    }
}
