import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Stock Cassandra with its defaults, one node after another, as its documentation tells to start a cluster. */
final class Baseline {
    private final Path directory;
    private final Path jars;
    private final String java;
    private final Fleet fleet = new Fleet(91);

    Baseline(Path directory, Path jars, String java) {
        this.directory = directory;
        this.jars = jars;
        this.java = java;
    }

    /** @param count the first so many of six */
    Round run(int count) throws IOException, InterruptedException {
        List<Process> nodes = new ArrayList<>();
        List<Double> cql = new ArrayList<>();
        List<Fleet.Place> places = fleet.places().subList(0, count);
        String before = Processor.loadAverage();
        try {
            double begin = Processor.uptimeSeconds();
            for (Fleet.Place place : places) {
                nodes.add(start(place));
                Fleet.await(place, 1);
                cql.add(Startup.rounded(Processor.uptimeSeconds() - begin));
                System.out.println("baseline " + place.name() + " serves after " + cql.get(cql.size() - 1) + " s");
            }
            for (Fleet.Place place : places) {
                Fleet.await(place, count);
            }
            double seconds = Processor.uptimeSeconds() - begin;
            List<Double> used = new ArrayList<>();
            for (Process node : nodes) {
                used.add(Processor.seconds(node.pid()));
            }
            return new Round(
                    "defaults, one after another" + (count < Fleet.SIZE ? ", first " + count + " only" : ""),
                    cql,
                    seconds,
                    0,
                    used,
                    List.of(),
                    0,
                    Processor.residentMebibytes(nodes.get(0).pid()),
                    before + " to " + Processor.loadAverage());
        } finally {
            for (Process node : nodes) {
                node.destroyForcibly().waitFor();
            }
        }
    }

    private Process start(Fleet.Place place) throws IOException {
        Path home = directory.resolve(place.name());
        Path conf = Files.createDirectories(home.resolve("conf"));
        Files.writeString(conf.resolve("cassandra.yaml"), yaml(place, home));
        Files.writeString(
                conf.resolve("cassandra-rackdc.properties"),
                "dc=dc" + place.datacenter() + "\nrack=r" + (place.index() + 1) + "\n");
        Files.writeString(conf.resolve("logback.xml"), logback(home));
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(StockOptions.ALL);
        command.addAll(List.of("-Xms512m", "-Xmx512m"));
        command.add("-Dcassandra.config=" + conf.resolve("cassandra.yaml").toUri());
        command.add("-Dcassandra-rackdc.properties="
                + conf.resolve("cassandra-rackdc.properties").toUri());
        command.add("-Dlogback.configurationFile=" + conf.resolve("logback.xml"));
        command.add("-Dcassandra.logdir=" + home);
        command.add("-Dcassandra.storagedir=" + home);
        command.add("-Dcassandra-foreground=yes");
        command.addAll(List.of("-cp", jars + "/*", "org.apache.cassandra.service.CassandraDaemon"));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File(home.toFile(), "stdout.log"))
                .start();
    }

    /** The settings of Cassandra's own cassandra.yaml that its code does not default to, and who and where the node is. */
    private String yaml(Fleet.Place place, Path home) {
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
                    parameters: [{seeds: "%1$s:7000,%2$s:7000"}]
                listen_address: %3$s
                rpc_address: %3$s
                data_file_directories: [%4$s/data]
                commitlog_directory: %4$s/commitlog
                cdc_raw_directory: %4$s/cdc_raw
                hints_directory: %4$s/hints
                saved_caches_directory: %4$s/saved_caches
                """
                .formatted(
                        fleet.places().get(0).address(),
                        fleet.places().get(Fleet.NODES_PER_DATACENTER).address(),
                        place.address(),
                        home);
    }

    private static String logback(Path home) {
        return """
                <configuration><appender name="F" class="ch.qos.logback.core.FileAppender"><file>%s/system.log</file>
                <encoder><pattern>%%-5level [%%thread] %%date{ISO8601} %%F:%%L - %%msg%%n</pattern></encoder></appender>
                <root level="INFO"><appender-ref ref="F"/></root></configuration>
                """
                .formatted(home);
    }
}
