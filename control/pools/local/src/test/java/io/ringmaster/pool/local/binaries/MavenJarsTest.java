package io.ringmaster.pool.local.binaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class MavenJarsTest {
    @TempDir
    Path cache;

    @Test
    void maven_gives_cassandra_and_one_logging_binding_and_nothing_of_its_tests() throws Exception {
        Path lib = new Binaries(cache, null).jars("5.0.9", progress -> {});
        List<String> names;
        try (Stream<Path> files = Files.list(lib)) {
            names = files.map(f -> f.getFileName().toString()).sorted().toList();
        }
        assertThat(names).contains("cassandra-all-5.0.9.jar", "SHA256SUMS");
        assertThat(names).anyMatch(n -> n.startsWith("netty-transport-native-epoll-"));
        assertThat(names).filteredOn(n -> n.startsWith("logback-classic")).hasSize(1);
        assertThat(names).noneMatch(n -> n.matches("(junit|slf4j-simple|slf4j-log4j12|log4j-core|byteman|jmh).*"));
        assertThat(names).filteredOn(n -> n.startsWith("slf4j-api")).hasSize(1);
    }

    @Test
    void a_version_that_does_not_exist_is_a_clear_error() {
        List<String> progress = new ArrayList<>();
        assertThatThrownBy(() -> new Binaries(cache, null).jars("5.0.999999", progress::add))
                .isInstanceOf(BinariesUnavailableException.class)
                .hasMessageContaining("org.apache.cassandra:cassandra-all:5.0.999999")
                .hasMessageContaining("check the version and the network");
    }
}
