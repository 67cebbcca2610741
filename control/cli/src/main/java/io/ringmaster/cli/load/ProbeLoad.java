package io.ringmaster.cli.load;

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

/** Does something to a cluster while a light load in each of its datacenters tells what a service feels of it, and keeps that with the plans. */
public final class ProbeLoad {
    private static final int RATE = 200;
    private static final String WHAT =
            RATE + " requests a second in each datacenter, half reads, half writes, at LOCAL_QUORUM";
    private static final String PROGRAM = "metronome/target/release/metronome";
    /** More copies change nothing for a quorum that one node may be missing from. */
    private static final int MOST_COPIES = 3;

    /** Before and after: long enough for 1,000 requests, so that there is a 99.9th percentile to compare with. */
    private static final Duration QUIET = Duration.ofSeconds(6);

    /** What a command waits for: connecting and making the keyspace, or requests that time out. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Session session;
    private final RingmasterClient client;
    private final Path program;
    private final Duration quiet;

    /** What is done beside the load. */
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

    /** @param quiet how long the load is alone, before and after the work */
    static ProbeLoad of(Session session, RingmasterClient client, Duration quiet) {
        Path root = session.surroundings().root();
        String named = session.surroundings().environment().get("METRONOME");
        Path program = named == null ? root.resolve(PROGRAM) : Path.of(named);
        if (!Files.isExecutable(program)) {
            throw new Failure(
                    ExitCode.FAILED,
                    "the load generator is not built: there is no " + program + "; nothing was changed",
                    "cargo build --release --manifest-path " + root.resolve("metronome/Cargo.toml"));
        }
        return new ProbeLoad(session, client, program, quiet);
    }

    /**
     * Does the work with the load before, beside and after it. What the load met is kept and printed also when the work fails.
     *
     * @param plans what the load is kept with, asked for when the work is over
     * @throws Failure of the work; else FAILED when a request of the load failed
     */
    public void run(ClusterName cluster, Work work, Supplier<List<PlanId>> plans) throws InterruptedException {
        Map<DatacenterName, LoadProcess> load = new LinkedHashMap<>();
        try {
            start(client.status(cluster, Scope.FLEET), load);
            begin(load, "before");
            Thread.sleep(quiet.toMillis());
            begin(load, "during");
            Map<DatacenterName, PlanLoad.Period> before = told(load);
            Failure failure = failureOf(work);
            begin(load, "after");
            Map<DatacenterName, PlanLoad.Period> during = told(load);
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

    private void start(ClusterStatus status, Map<DatacenterName, LoadProcess> load) throws InterruptedException {
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
                    "ringmaster cluster status " + status.cluster() + ", or leave --probe out");
        }
        String copies = hosts.entrySet().stream()
                .map(e -> e.getKey() + ":" + Math.min(MOST_COPIES, e.getValue().size()))
                .collect(Collectors.joining(","));
        for (var each : hosts.entrySet()) {
            var process = new LoadProcess(command(each.getKey(), each.getValue(), copies));
            load.put(each.getKey(), process);
            // One after another, because two that make the keyspace at once may disagree on it.
            process.awaitFirstSecond(PATIENCE);
        }
    }

    private List<String> command(DatacenterName datacenter, List<String> hosts, String copies) {
        return List.of(
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
                copies);
    }

    private static void begin(Map<DatacenterName, LoadProcess> load, String period) throws InterruptedException {
        for (LoadProcess process : load.values()) {
            process.begin(period);
        }
    }

    private static Map<DatacenterName, PlanLoad.Period> told(Map<DatacenterName, LoadProcess> load)
            throws InterruptedException {
        Map<DatacenterName, PlanLoad.Period> told = new LinkedHashMap<>();
        for (var each : load.entrySet()) {
            told.put(each.getKey(), each.getValue().told(PATIENCE));
        }
        return told;
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
