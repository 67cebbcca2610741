package io.ringmaster.cli.session;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.cli.yaml.YamlWriter;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** One run of a command: its console, output format and server. */
public final class Session {
    private final Environment environment;
    private final Console console;
    private final Format format;
    private final ServerCandidates servers;

    public Session(Environment environment, Console console, Format format, ServerCandidates servers) {
        this.environment = environment;
        this.console = console;
        this.format = format;
        this.servers = servers;
    }

    public Environment environment() {
        return environment;
    }

    public Console console() {
        return console;
    }

    public Format format() {
        return format;
    }

    /** @throws Failure when no server answers */
    public RingmasterClient client() {
        return servers.client();
    }

    /**
     * A way for a browser of this computer to a server that is reached by TLS.
     *
     * @param port on 127.0.0.1; 0 for a free one
     * @throws Failure the port is in use
     */
    public PageTunnel tunnel(URI server, int port) {
        try {
            return servers.tunnel(server, port, why -> console.note(Line.of(Style.DIM, why)));
        } catch (IOException e) {
            throw new Failure(ExitCode.USAGE, ThrowableText.of(e), "choose another --port, or none");
        }
    }

    /** Prints in the format of {@code --output}. */
    public void print(Object value, Supplier<List<Line>> screen) {
        switch (format) {
            case TABLE -> console.print(screen.get());
            case JSON -> console.print(json(value));
            case YAML -> console.print(yaml(value).stripTrailing());
            case CSV ->
                throw new Failure(
                        ExitCode.USAGE,
                        "-o csv is only for query results",
                        PROGRAM + " cql rides -o csv -e \"SELECT ...\"");
        }
    }

    /**
     * Asks the user before a change.
     *
     * @throws Failure REFUSED when the answer is not yes, or when there is no terminal to ask
     */
    public void confirm(String question, boolean yes) {
        if (yes) {
            return;
        }
        if (!environment.person()) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "there is no terminal to ask for confirmation; nothing was changed",
                    "add --yes to confirm");
        }
        console.ask(question + " [y/N] ");
        try {
            var in = new BufferedReader(new InputStreamReader(environment.in(), StandardCharsets.UTF_8));
            String answer = in.readLine();
            if (answer == null
                    || !answer.strip().toLowerCase(java.util.Locale.ROOT).matches("y|yes")) {
                throw new Failure(ExitCode.REFUSED, "nothing was changed", null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String json(Object value) {
        try {
            return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String yaml(Object value) {
        return YamlWriter.write(Json.mapper().valueToTree(value));
    }
}
