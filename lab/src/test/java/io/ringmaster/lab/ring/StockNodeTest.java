package io.ringmaster.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StockNodeTest {
    private static final StockNode.Place PLACE =
            new StockNode.Place("127.93.1.2", "dc1", "r2", List.of("127.93.1.1", "127.93.1.3"));

    @TempDir
    Path home;

    @Test
    void configuration_and_command_name_the_node_and_its_place() throws IOException {
        var node = new StockNode(home, Path.of("/jars"), Jvm.ofThisProcess(), 512);
        List<String> command = node.command(PLACE, Map.of("num_tokens", "1"), List.of("-Dmine=1"));
        assertThat(home.resolve("conf/cassandra.yaml"))
                .content()
                .contains("listen_address: 127.93.1.2\n", "rpc_address: 127.93.1.2\n", "num_tokens: 1\n")
                .contains("seeds: \"127.93.1.1:7000,127.93.1.3:7000\"")
                .contains(
                        "data_file_directories: [" + home + "/data]\n",
                        "commitlog_directory: " + home + "/commitlog\n");
        assertThat(home.resolve("conf/cassandra-rackdc.properties")).hasContent("dc=dc1\nrack=r2");
        assertThat(home.resolve("conf/logback.xml")).content().contains(home + "/system.log");
        assertThat(command)
                .contains("-Xmx512m", "-Dmine=1", "-XX:+UseG1GC")
                .endsWith("-cp", "/jars/*", "org.apache.cassandra.service.CassandraDaemon");
    }

    @Test
    void a_given_setting_replaces_that_of_the_same_name() throws IOException {
        var node = new StockNode(home, Path.of("/jars"), Jvm.ofThisProcess(), 512);
        node.command(PLACE, Map.of("commitlog_sync_period", "1s"), List.of());
        assertThat(home.resolve("conf/cassandra.yaml"))
                .content()
                .contains("commitlog_sync_period: 1s\n")
                .doesNotContain("10000ms");
    }
}
