package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.json.Json;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** metronome writes at a steady rate and at LOCAL_QUORUM, however slow the cluster is, and remembers what it wrote. */
final class OpenLoopLoad implements AutoCloseable {
    private static final int LIMIT_S = 120;

    private final Path folder;
    private final CqlAccess access;
    private final Process process;
    private final List<Outage> outages = new ArrayList<>();

    /** When requests may fail, and how, by metronome's names of failures. */
    private record Outage(Instant from, Instant until, Set<String> failures) {}

    private OpenLoopLoad(
            Path folder, CqlAccess access, ClusterStatus cluster, String replication, String keyspace, int rate) {
        this.folder = folder;
        this.access = access;
        process = start(
                access,
                List.of(
                        "run",
                        "writes",
                        "--rate=" + rate,
                        "--duration=1h",
                        "--consistency=local_quorum",
                        "--replication=" + replication,
                        "--keyspace=" + keyspace,
                        "--send-again", // as drivers do when a server turns a request away because it stops
                        "--max-behind=60s",
                        "--output=load.json",
                        hosts(cluster)),
                "load.log");
    }

    private static String hosts(ClusterStatus cluster) {
        return cluster.datacenters().get(0).nodes().stream()
                .map(NodeState::cqlEndpoint)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(",", "--hosts=", ""));
    }

    /** Starts, and returns when rows are written. */
    static OpenLoopLoad on(CqlAccess access, ClusterStatus cluster, String replication) {
        return on(access, cluster, replication, "metronome", 200);
    }

    /** @param rate writes a second, into {@code keyspace} */
    static OpenLoopLoad on(CqlAccess access, ClusterStatus cluster, String replication, String keyspace, int rate) {
        OpenLoopLoad load;
        try {
            Path folder =
                    Files.createDirectories(Playground.HOME.resolve("load").resolve(keyspace));
            load = new OpenLoopLoad(folder, access, cluster, replication, keyspace, rate);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            String log = Patience.until(
                    "rows to be written",
                    Duration.ofSeconds(LIMIT_S),
                    () -> load.log("load.log"),
                    text -> !load.process.isAlive() || text.contains("  2s "));
            assertThat(load.process.isAlive()).as(log).isTrue();
            return load;
        } catch (AssertionError e) {
            load.close();
            throw e;
        }
    }

    private Process start(CqlAccess to, List<String> arguments, String log) {
        List<String> command = new ArrayList<>();
        command.add(Playground.metronome().orElseThrow().toString());
        command.addAll(arguments);
        command.addAll(to.metronome(folder));
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(log).toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start metronome", e);
        }
    }

    private String log(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int end(Process process) throws InterruptedException {
        assertThat(process.waitFor(LIMIT_S, TimeUnit.SECONDS))
                .as("metronome ends")
                .isTrue();
        return process.exitValue();
    }

    /** Allows requests that are answered within this time to fail in these ways, which metronome names. */
    void mayFail(Instant from, Instant until, String... failures) {
        outages.add(new Outage(from, until, Set.of(failures)));
    }

    /**
     * Ends the load. No request may have failed, but for those that {@link #mayFail}, and every acknowledged row must
     * be in the cluster.
     */
    void assertNothingFailedAndNothingLost(ClusterStatus cluster) throws InterruptedException {
        process.destroy();
        end(process);
        assertThat(log("load.log")).containsPattern("[1-9][0-9,]+ requests meant to start, ");
        assertNothingLost(access, cluster);
        assertFailuresAllowed(Json.parse(log("load.json"), JsonNode.class));
    }

    /** Every acknowledged row of a load that has ended is read at ALL, also in a cluster that has its data. */
    void assertNothingLost(CqlAccess to, ClusterStatus cluster) throws InterruptedException {
        int verified = end(start(to, List.of("verify", "load.json", hosts(cluster)), "verify.log"));
        assertThat(verified).as(log("verify.log")).isZero();
    }

    private void assertFailuresAllowed(JsonNode result) {
        Instant start = Instant.ofEpochMilli(result.required("started_unix_ms").asLong());
        List<String> unexpected = new ArrayList<>();
        for (JsonNode interval : result.required("intervals")) {
            Instant at = start.plusMillis(interval.required("start_ms").asLong());
            long failed = interval.required("failed").asLong();
            if (failed > 0 && outages.stream().noneMatch(o -> !at.isBefore(o.from) && at.isBefore(o.until))) {
                unexpected.add(failed + " at " + at);
            }
        }
        for (JsonNode error : result.required("errors")) {
            String failure = error.required("class").asText();
            if (outages.stream().noneMatch(o -> o.failures.contains(failure))) {
                unexpected.add(error.toString());
            }
        }
        assertThat(unexpected).as(log("load.log")).isEmpty();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
