package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ringmaster.cli.command.ClusterCommand;
import io.ringmaster.cli.command.PlanCommand;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.LocalServers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The command lines that dialogs of the page show to copy; a test of the page writes them. */
class PageCommandsTest {
    private static final Path SAMPLES = Path.of("../../api/samples");
    private static final String PROGRAM = "./ringmaster ";
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    private static final CommandSet COMMANDS =
            new CommandSet(List.of(ClusterCommand.class, PlanCommand.class), List.of(), LocalServers.NONE);

    @TempDir
    private static Path home;

    private static HttpServer server;

    @BeforeAll
    static void serveCatalogue() throws IOException {
        byte[] catalogue = Files.readAllBytes(SAMPLES.resolve("operations.json"));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/operations", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, catalogue.length);
            exchange.getResponseBody().write(catalogue);
            exchange.close();
        });
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    static List<String> lines() throws IOException {
        return Files.readAllLines(SAMPLES.resolve("commands.txt"));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void is_accepted_by_the_command_line(String line) {
        assertThat(line).startsWith(PROGRAM);
        String[] words = words(line.substring(PROGRAM.length()));

        CommandLine.ParseResult parsed =
                Program.commandLine(COMMANDS, environment(), words).parseArgs(words);

        assertThat(parsed.unmatched()).isEmpty();
        assertThat(parsed.subcommand().subcommand().commandSpec().name()).isEqualTo(words[1]);
    }

    private static String[] words(String line) {
        return WORD.matcher(line).results().map(PageCommandsTest::word).toArray(String[]::new);
    }

    private static String word(MatchResult match) {
        return match.group(1) == null ? match.group(2) : match.group(1);
    }

    private static Environment environment() {
        var nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        return new Environment(
                Map.of("RINGMASTER_SERVER", url, "RINGMASTER_HOME", home.toString()),
                home,
                new ByteArrayInputStream(new byte[0]),
                false,
                nowhere,
                nowhere);
    }
}
