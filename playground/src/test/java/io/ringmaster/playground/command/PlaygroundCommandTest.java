package io.ringmaster.playground.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.cli.CommandSet;
import io.ringmaster.cli.Program;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.playground.RunningPlayground;
import io.ringmaster.playground.Sizes;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class PlaygroundCommandTest {
    private static final CommandSet COMMANDS =
            new CommandSet(List.of(PlaygroundCommand.class, DoctorCommand.class), List.of(), new RunningPlayground());

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    private int run(String... arguments) {
        var environment = new Environment(
                Map.of("RINGMASTER_HOME", home.toString()),
                home,
                InputStream.nullInputStream(),
                false,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return Program.run(COMMANDS, environment, arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "playground --wan soon",
                "playground --wan 2s",
                "playground --wan 0ms",
                "playground --wan 77.8ms --datacenters 1",
                "playground --wan-bandwidth 100Mbit",
                "playground --wan 10ms --moving-addresses",
                "playground --wan 10ms --tls",
                "playground slow",
                "playground slow machine-2 --cpu 0",
                "playground cut dc1",
                "playground --heap many",
                "playground --preset fast",
                "playground --nodes 0"
            })
    void an_impossible_network_or_size_is_a_usage_error(String line) {
        assertThat(run(line.split(" ", -1))).isEqualTo(ExitCode.USAGE.number());
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("error: ");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void bandwidths_are_counted_in_powers_of_ten() {
        assertThat(new Bandwidths().convert("100Mbit")).isEqualTo(100_000_000L);
        assertThat(new Bandwidths().convert("1Gbit")).isEqualTo(1_000_000_000L);
        for (String wrong : List.of("", "100", "0Mbit", "100MB", "1.5Gbit")) {
            assertThatThrownBy(() -> new Bandwidths().convert(wrong))
                    .isInstanceOf(TypeConversionException.class)
                    .hasMessageContaining("100Mbit");
        }
    }

    @Test
    void sizes_have_binary_units() {
        assertThat(new Sizes().convert("256MiB")).isEqualTo(256L << 20);
        assertThat(new Sizes().convert("1G")).isEqualTo(1L << 30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "256", "1.5GiB", "-1MiB", "many"})
    void what_is_no_size_is_refused(String text) {
        assertThatThrownBy(() -> new Sizes().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("256MiB");
    }
}
