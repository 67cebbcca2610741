package io.ringmaster.cli.playground;

import io.ringmaster.cli.doctor.Demand;
import io.ringmaster.cli.process.Processes;
import io.ringmaster.cli.screen.Amounts;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Tone;
import io.ringmaster.wire.api.ClusterStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the playground says: a line for each stage, and at the end what the user needs next. */
final class PlaygroundScreen {
    private static final int LABEL = 11;
    private static final int LEFT = 40;

    private PlaygroundScreen() {}

    static Line stage(String label, Line text) {
        return Line.of("  ").and(Line.of(Tone.DIM, label).padded(LABEL)).and(text);
    }

    /** @param wantedPort that this datacenter's server would have had */
    static Line server(PlaygroundState.Server server, int wantedPort, Demand size) {
        Line line = Line.of("server " + server.url().replace("http://", "") + "  "
                + Amounts.count(Math.max(size.nodes(), Demand.MACHINES_AT_LEAST), "machine"));
        return server.url().endsWith(":" + wantedPort)
                ? line
                : line.and(Tone.WARN, "  (port " + wantedPort + " is taken)");
    }

    static List<Line> up(
            ClusterStatus status, List<PlaygroundState.Server> servers, Path home, Options options, Duration took) {
        String cluster = status.cluster().value();
        List<Line> lines = new ArrayList<>();
        lines.add(Line.of("  ")
                .and(Tone.GOOD, cluster + " is up: ")
                .and(status.normal() + " of " + status.nodes()
                        + " NORMAL, every node sees every node, one schema version  " + Amounts.elapsed(took)));
        List<String> contacts = status.datacenters().stream()
                .flatMap(d -> d.nodes().stream()
                        .map(n -> n.cqlEndpoint() == null ? "" : n.cqlEndpoint())
                        .filter(e -> !e.isEmpty())
                        .limit(1))
                .toList();
        lines.add(row("CQL", String.join(", ", contacts), "./ringmaster cql " + cluster));
        lines.add(row("", "try", "./ringmaster cql " + cluster + " -e \"SELECT cluster_name FROM system.local\""));
        lines.add(row("API", servers.get(0).url() + "/api/v1", "token in " + home.resolve("token")));
        lines.add(row("look", "one screen about it", "./ringmaster cluster status " + cluster));
        lines.add(row(
                "change",
                "edit and apply its spec",
                "./ringmaster cluster apply -f "
                        + PlaygroundState.directory(home).resolve(cluster + ".yaml")));
        String data = options.keepData() ? "the data stay" : "the data go with it; --keep-data keeps them";
        lines.add(
                options.detach()
                        ? row("stop", data, "./ringmaster playground down")
                        : row("stop", data, "Ctrl-C here, or ./ringmaster playground down"));
        return lines;
    }

    static List<Line> status(Path home, Optional<PlaygroundState> state, List<Processes.Own> running) {
        if (running.isEmpty()) {
            boolean kept = state.filter(PlaygroundState::keepData).isPresent();
            return List.of(
                    Line.of(
                            kept
                                    ? "no playground runs; data of one are kept in " + PlaygroundState.directory(home)
                                    : "no playground runs"),
                    Line.of(Tone.DIM, "  try: ").and("./ringmaster playground"));
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
            lines.add(stage("data", Line.of(s.keepData() ? "stay when it is stopped" : "go when it is stopped")));
            lines.add(stage("look", Line.of("./ringmaster cluster status " + s.cluster())));
        });
        lines.add(stage("stop", Line.of("./ringmaster playground down")));
        return lines;
    }

    private static Line row(String label, String what, String how) {
        return Line.of("    ")
                .and(Line.of(Tone.DIM, label).padded(LABEL - 2))
                .and(Line.of(what).padded(LEFT))
                .and("  ")
                .and(how);
    }
}
