package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Formats;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.WebLink;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.process.Processes;
import io.ringmaster.wire.api.ClusterStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Screens of a playground: a line for each stage of the start, the next commands, and the status. */
final class PlaygroundScreen {
    private static final int LABEL = 11;
    private static final int LEFT = 40;

    private PlaygroundScreen() {}

    static Line stage(String label, Line text) {
        return Line.of("  ").and(Line.of(Style.DIM, label).padded(LABEL)).and(text);
    }

    /** @param wantedPort first choice for the port of this datacenter's server */
    static Line server(PlaygroundState.Server server, int wantedPort, Demand size) {
        Line line = Line.of("server " + server.url().replaceFirst("https?://", "") + "  "
                + Formats.count(size.machines(), "machine"));
        return server.url().endsWith(":" + wantedPort)
                ? line
                : line.and(Style.WARN, "  (port " + wantedPort + " is taken)");
    }

    /** @param page null if the servers were built without the page, or if it needs a tunnel and nobody holds one */
    static List<Line> up(
            ClusterStatus status,
            List<PlaygroundState.Server> servers,
            Path home,
            PlaygroundOptions options,
            @Nullable WebLink page,
            Duration took) {
        String cluster = status.cluster().value();
        List<Line> lines = new ArrayList<>();
        lines.add(Line.of("  ")
                .and(Style.GOOD, cluster + " is up: ")
                .and(status.normal() + " of " + status.nodes()
                        + " NORMAL, every node sees every node, one schema version  " + Formats.elapsed(took)));
        List<String> contacts = status.datacenters().stream()
                .flatMap(d -> d.nodes().stream()
                        .map(n -> n.cqlEndpoint() == null ? "" : n.cqlEndpoint())
                        .filter(e -> !e.isEmpty())
                        .limit(1))
                .toList();
        String spec = tilde(PlaygroundState.directory(home).resolve(cluster + ".yaml"));
        lines.add(row("CQL", Line.of(String.join(", ", contacts)).padded(LEFT).and(PROGRAM + " cql " + cluster)));
        lines.add(row("", Line.of(PROGRAM + " cql " + cluster + " -e \"SELECT cluster_name FROM system.local\"")));
        if (page == null && options.isEncrypted()) {
            lines.add(row("page", Line.of(PROGRAM + " web")));
        }
        if (page != null) {
            lines.add(row("page", Line.of(page.url()).and(Style.DIM, "  once, in 10 min; later: " + PROGRAM + " web")));
        }
        lines.add(row(
                "API",
                Line.of(servers.get(0).url() + "/api/v1")
                        .padded(LEFT)
                        .and("token in " + tilde(home.resolve("token")))));
        lines.add(row("look", Line.of(PROGRAM + " cluster status " + cluster)));
        lines.add(row("change", Line.of(PROGRAM + " cluster apply -f " + spec)));
        String stop =
                options.detach() ? PROGRAM + " playground down" : "Ctrl-C here, or " + PROGRAM + " playground down";
        lines.add(row("stop", Line.of(stop + (options.keepData() ? "; the data stay" : "; the data are deleted"))));
        return lines;
    }

    private static Line row(String label, Line text) {
        return Line.of("    ").and(Line.of(Style.DIM, label).padded(LABEL - 2)).and(text);
    }

    private static String tilde(Path path) {
        String user = System.getProperty("user.home");
        return path.startsWith(user) ? path.toString().replaceFirst("^" + Pattern.quote(user), "~") : path.toString();
    }

    /** @param faults lines about links and injected faults */
    static List<Line> status(
            Path home, Optional<PlaygroundState> state, List<Processes.Own> running, List<Line> faults) {
        if (running.isEmpty()) {
            boolean kept = state.filter(PlaygroundState::keepData).isPresent();
            return List.of(
                    Line.of(
                            kept
                                    ? "no playground runs; kept data are in " + PlaygroundState.directory(home)
                                    : "no playground runs"),
                    Line.of(Style.DIM, "  try: ").and(PROGRAM + " playground"));
        }
        List<Line> lines = new ArrayList<>();
        Map<String, Long> parts = running.stream()
                .collect(Collectors.groupingBy(Processes.Own::part, TreeMap::new, Collectors.counting()));
        lines.add(stage(
                "running",
                Line.of(parts.entrySet().stream()
                        .map(e -> e.getValue() + " " + (e.getKey().equals("companion") ? "cassandra" : e.getKey()))
                        .collect(Collectors.joining(", ")))));
        state.ifPresent(s -> {
            s.servers().forEach(server -> lines.add(stage(server.datacenter(), Line.of(server.url()))));
            lines.addAll(faults);
            lines.add(stage("data", Line.of(s.keepData() ? "stay when it stops" : "are deleted when it stops")));
            lines.add(stage("look", Line.of(PROGRAM + " cluster status " + s.cluster())));
        });
        lines.add(stage("stop", Line.of(PROGRAM + " playground down")));
        return lines;
    }
}
