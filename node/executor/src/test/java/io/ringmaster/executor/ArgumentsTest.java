package io.ringmaster.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.executor.configuration.NodeAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private static int port(String text) {
        return new Arguments(new String[] {"--port", text}, Set.of("--port")).port("--port");
    }

    @Test
    void only_a_port_that_servers_can_be_given_is_taken() {
        assertThat(port("7070")).isEqualTo(7070);
        for (String bad : List.of("0", "65536", "-1", "x", "")) {
            assertThatThrownBy(() -> port(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("--port '" + bad + "' must be a port from 1 to 65535: the servers connect to it");
        }
    }

    @Test
    void a_count_is_zero_unless_it_is_given() {
        Set<String> known = Set.of("--generation");
        assertThat(new Arguments(new String[] {}, known).countOrZero("--generation"))
                .isZero();
        assertThat(new Arguments(new String[] {"--generation", "12"}, known).countOrZero("--generation"))
                .isEqualTo(12);
        for (String bad : List.of("", "-1", "x", "1234567890123456789")) {
            assertThatThrownBy(
                            () -> new Arguments(new String[] {"--generation", bad}, known).countOrZero("--generation"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--generation '" + bad + "'");
        }
    }

    @Test
    void only_the_address_of_one_computer_is_taken() {
        assertThat(NodeAddress.of("10.0.0.7", null)).isEqualTo(new NodeAddress("10.0.0.7", "10.0.0.7"));
        assertThat(NodeAddress.of("fd00::7", "192.0.2.1").isTranslated()).isTrue();
        for (String bad : List.of(
                "0.0.0.0", "::", "224.0.0.1", "localhost", "999.1.1.1", "010.0.0.7", "", ":", ".:1", "fd00::g")) {
            assertThatThrownBy(() -> NodeAddress.of(bad, null))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("--listen '" + bad + "' must be the IP address of one computer");
        }
        assertThatThrownBy(() -> NodeAddress.of("10.0.0.7", "0.0.0.0")).hasMessageContaining("--advertise '0.0.0.0'");
    }

    @Test
    void the_last_line_of_a_refused_start_says_why() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(
                List.of(java, "-cp", System.getProperty("java.class.path"), ExecutorMain.class.getName()));
        command.addAll(List.of("--node", "rides/dc1/node-0", "--listen", "0.0.0.0", "--port", "7070"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(lines).last().asString().startsWith("the executor cannot start: --listen '0.0.0.0' must be");
    }
}
