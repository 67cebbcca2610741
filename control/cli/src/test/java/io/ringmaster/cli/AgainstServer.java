package io.ringmaster.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.ringmaster.cli.command.AuditCommand;
import io.ringmaster.cli.command.BackupCommand;
import io.ringmaster.cli.command.ClusterCommand;
import io.ringmaster.cli.command.CompletionCommand;
import io.ringmaster.cli.command.EventsCommand;
import io.ringmaster.cli.command.MachineCommand;
import io.ringmaster.cli.command.NodeCommand;
import io.ringmaster.cli.command.OperationCommand;
import io.ringmaster.cli.command.PlanCommand;
import io.ringmaster.cli.command.RepairCommand;
import io.ringmaster.cli.command.RestoreCommand;
import io.ringmaster.cli.command.ServerCommand;
import io.ringmaster.cli.command.TokenCommand;
import io.ringmaster.cli.command.VersionCommand;
import io.ringmaster.cli.command.VolumeCommand;
import io.ringmaster.cli.command.WebCommand;
import io.ringmaster.cli.screen.Fleet;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.LocalServers;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.ProblemDetails;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs whole commands against a small HTTP server that answers as Ringmaster's does. */
abstract class AgainstServer {
    static final CommandSet COMMANDS = new CommandSet(
            List.of(
                    ClusterCommand.class,
                    PlanCommand.class,
                    MachineCommand.class,
                    VolumeCommand.class,
                    NodeCommand.class,
                    RepairCommand.class,
                    BackupCommand.class,
                    RestoreCommand.class,
                    OperationCommand.class,
                    AuditCommand.class,
                    TokenCommand.class,
                    EventsCommand.class,
                    WebCommand.class,
                    ServerCommand.class,
                    VersionCommand.class,
                    CompletionCommand.class),
            List.of(),
            LocalServers.NONE);
    static final ProblemDetails UNKNOWN = ProblemDetails.of(
            404,
            "/",
            List.of(Problem.of(
                    ErrorCode.CLUSTER_UNKNOWN, "no cluster 'taxis' is declared", "ringmaster cluster list")));
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final List<String> asked = new ArrayList<>();
    HttpServer server;

    @TempDir
    Path home;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/api/v1/clusters/rides/status", 200, Fleet.healthy());
        answer("/api/v1/clusters", 200, new FleetList<>(List.of(), List.of()));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    void answer(String path, int status, Object body) {
        server.createContext(path, exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            boolean exactly = exchange.getRequestURI().getPath().equals(path);
            reply(exchange, exactly ? status : 404, exactly ? body : UNKNOWN);
        });
    }

    static void reply(HttpExchange exchange, int status, Object body) throws IOException {
        byte[] bytes = Json.bytes(body);
        exchange.getResponseHeaders()
                .add("Content-Type", status < 300 ? "application/json" : ProblemDetails.MEDIA_TYPE);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    int run(String... arguments) {
        return runAgainst("http://127.0.0.1:" + server.getAddress().getPort(), "", arguments);
    }

    int runAgainst(String url, String input, String... arguments) {
        var environment = new Environment(
                Map.of("RINGMASTER_SERVER", url, "RINGMASTER_HOME", home.toString()),
                home,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                false,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return Program.run(COMMANDS, environment, arguments);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    Path spec(String text) throws IOException {
        return Files.writeString(home.resolve("spec.yaml"), text);
    }

    void answerChange(HttpHandler change) {
        server.createContext("/api/v1/clusters/rides", exchange -> {
            if (exchange.getRequestMethod().equals("GET")) {
                reply(exchange, 404, UNKNOWN);
            } else {
                change.handle(exchange);
            }
        });
    }
}
