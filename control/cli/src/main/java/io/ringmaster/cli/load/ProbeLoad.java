package io.ringmaster.cli.load;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.LoadScreen;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.Session;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.PlanLoad;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a light load in each datacenter of a cluster beside a change, so that the plans keep latencies and failed
 * requests as a service would see them.
 */
public final class ProbeLoad {
    private static final int RATE = 200;
    private static final String WHAT =
            RATE + " requests a second in each datacenter, half reads, half writes, at LOCAL_QUORUM";
    private static final String METRONOME = "metronome/target/release/metronome";
    /** Three replicas keep a quorum with one node down; more add nothing. */
    private static final int MOST_COPIES = 3;

    /**
     * Before and after the work: long enough for 1,000 requests, so that there is a 99.9th percentile to compare with.
     */
    private static final Duration QUIET = Duration.ofSeconds(6);

    /** Limit for one answer of the load generator, which connects, creates the keyspace or waits for timeouts. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Session session;
    private final RingmasterClient client;
    private final Path program;
    private final Duration quiet;

    /** The work beside the load. */
    @FunctionalInterface
    public interface Work {
        void run() throws InterruptedException;
    }

    private ProbeLoad(Session session, RingmasterClient client, Path program, Duration quiet) {
        this.session = session;
        this.client = client;
        this.program = program;
        this.quiet = quiet;
    }

    /** @throws Failure when the load generator is not built */
    public static ProbeLoad of(Session session, RingmasterClient client) {
        return of(session, client, QUIET);
    }

    /** @param quiet time that the load runs alone, before and after the work */
    static ProbeLoad of(Session session, RingmasterClient client, Duration quiet) {
        Path root = session.environment().root();
        String named = session.environment().variables().get("METRONOME");
        Path program = named == null ? root.resolve(METRONOME) : Path.of(named);
        if (!Files.isExecutable(program)) {
            throw new Failure(
                    ExitCode.FAILED,
                    "the load generator is not built: there is no " + program + "; nothing was changed",
                    "cargo build --release --manifest-path " + root.resolve("metronome/Cargo.toml"));
        }
        return new ProbeLoad(session, client, program, quiet);
    }

    /**
     * Does the work with the load before, beside and after it. The figures are stored and printed also when the work
     * fails.
     *
     * @param plans plans that store the figures, read when the work is over
     * @throws Failure of the work; else FAILED when a request of the load failed
     */
    public void run(ClusterName cluster, Work work, Supplier<List<PlanId>> plans) throws InterruptedException {
        Map<DatacenterName, LoadProcess> load = new LinkedHashMap<>();
        try (var security = LoadSecurity.of(client, cluster)) {
            start(client.status(cluster, Scope.FLEET), security.options(), load);
            begin(load, "before");
            Thread.sleep(quiet.toMillis());
            begin(load, "during");
            Map<DatacenterName, PlanLoad.Period> before = reported(load);
            Failure failure = failureOf(work);
            begin(load, "after");
            Map<DatacenterName, PlanLoad.Period> during = reported(load);
            Thread.sleep(quiet.toMillis());
            List<PlanLoad.Part> parts = new ArrayList<>();
            for (var each : load.entrySet()) {
                DatacenterName datacenter = each.getKey();
                parts.add(new PlanLoad.Part(
                        datacenter,
                        Objects.requireNonNull(before.get(datacenter), "each load was asked"),
                        Objects.requireNonNull(during.get(datacenter), "each load was asked"),
                        each.getValue().end(PATIENCE)));
            }
            keep(new PlanLoad(WHAT, Instant.now(), parts), plans.get());
            judge(failure, parts);
        } finally {
            load.values().forEach(LoadProcess::close);
        }
    }

    private static @Nullable Failure failureOf(Work work) throws InterruptedException {
        try {
            work.run();
            return null;
        } catch (Failure e) {
            return e;
        }
    }

    private void start(ClusterStatus status, List<String> security, Map<DatacenterName, LoadProcess> load)
            throws InterruptedException {
        Map<DatacenterName, List<String>> hosts = new LinkedHashMap<>();
        for (ClusterStatus.Part part : status.datacenters()) {
            List<String> endpoints = part.nodes().stream()
                    .filter(n -> n.mode() == OperatingMode.NORMAL)
                    .map(NodeState::cqlEndpoint)
                    .filter(Objects::nonNull)
                    .toList();
            if (!endpoints.isEmpty()) {
                hosts.put(part.datacenter(), endpoints);
            }
        }
        if (hosts.isEmpty()) {
            throw new Failure(
                    ExitCode.FAILED,
                    "no node of " + status.cluster() + " is NORMAL, so there is nothing to probe; nothing was changed",
                    PROGRAM + " cluster status " + status.cluster() + ", or leave --probe out");
        }
        String copies = hosts.entrySet().stream()
                .map(e -> e.getKey() + ":" + Math.min(MOST_COPIES, e.getValue().size()))
                .collect(Collectors.joining(","));
        for (var each : hosts.entrySet()) {
            var process = new LoadProcess(command(each.getKey(), each.getValue(), copies, security));
            load.put(each.getKey(), process);
            // One after another: two processes that create the keyspace at once may disagree on its schema.
            process.awaitFirstSecond(PATIENCE);
        }
    }

    private List<String> command(DatacenterName datacenter, List<String> hosts, String copies, List<String> security) {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "probe",
                "pulse",
                "--periods",
                "--send-again",
                "--rate",
                Integer.toString(RATE),
                "--hosts",
                String.join(",", hosts),
                "--datacenter",
                datacenter.value(),
                "--replication",
                copies));
        command.addAll(security);
        return command;
    }

    private static void begin(Map<DatacenterName, LoadProcess> load, String period) throws InterruptedException {
        for (LoadProcess process : load.values()) {
            process.begin(period);
        }
    }

    private static Map<DatacenterName, PlanLoad.Period> reported(Map<DatacenterName, LoadProcess> load)
            throws InterruptedException {
        Map<DatacenterName, PlanLoad.Period> reported = new LinkedHashMap<>();
        for (var each : load.entrySet()) {
            reported.put(each.getKey(), each.getValue().reported(PATIENCE));
        }
        return reported;
    }

    private void keep(PlanLoad load, List<PlanId> plans) {
        if (session.format() == Format.TABLE) {
            session.console()
                    .print(LoadScreen.of(List.of(load), session.console().width()));
        }
        plans.forEach(plan -> client.keepLoad(plan, load));
    }

    private static void judge(@Nullable Failure failure, List<PlanLoad.Part> parts) {
        if (failure != null) {
            throw failure;
        }
        long failed = parts.stream().mapToLong(PlanLoad.Part::failed).sum();
        if (failed > 0) {
            long requests = parts.stream().mapToLong(PlanLoad.Part::requests).sum();
            throw new Failure(
                    ExitCode.FAILED,
                    "done, but " + failed + " of " + requests + " requests of the load failed: "
                            + LoadScreen.errors(parts),
                    null);
        }
    }
}
