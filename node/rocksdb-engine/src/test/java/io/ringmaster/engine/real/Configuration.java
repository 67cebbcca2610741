package io.ringmaster.engine.real;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configuration files of a node. */
final class Configuration {
    /** The file that sets a node's datacenter. */
    static final String DATACENTER = "rackdc.properties";

    private Configuration() {}

    static void write(Path directory, String address, String seed, String memtables) throws IOException {
        Files.writeString(
                directory.resolve("logback.xml"),
                """
                <configuration>
                  <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                    <encoder><pattern>%d %-5level [%thread] %logger{1} %msg%n</pattern></encoder>
                  </appender>
                  <root level="INFO"><appender-ref ref="console"/></root>
                </configuration>
                """);
        Files.writeString(directory.resolve("cassandra.yaml"), yaml(directory, address, seed, memtables));
    }

    static void writeDatacenter(Path directory, String name) throws IOException {
        Files.writeString(directory.resolve(DATACENTER), "dc=" + name + "\nrack=rack1\n");
    }

    private static String yaml(Path directory, String address, String seed, String memtables) {
        return """
                cluster_name: engine
                num_tokens: 4
                partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                data_file_directories: [%1$s/data]
                commitlog_directory: %1$s/commitlog
                saved_caches_directory: %1$s/caches
                hints_directory: %1$s/hints
                cdc_raw_directory: %1$s/cdc
                listen_address: %2$s
                rpc_address: %2$s
                commitlog_sync: batch
                disk_failure_policy: stop
                endpoint_snitch: GossipingPropertyFileSnitch
                # a coordinator reads one replica from itself
                dynamic_snitch: false
                hints_flush_period: 1s
                materialized_views_enabled: true
                sasi_indexes_enabled: true
                auto_snapshot: true
                memtable:
                  configurations:
                    trie:
                      class_name: TrieMemtable
                    rocksdb:
                      class_name: io.ringmaster.engine.RocksDB
                      parameters: {block_cache: 32MiB, write_buffer: 4MiB, write_buffers: 16MiB}
                %4$s
                seed_provider:
                  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                    parameters: [{seeds: %3$s}]
                """
                .formatted(directory, address, seed, memtables);
    }
}
