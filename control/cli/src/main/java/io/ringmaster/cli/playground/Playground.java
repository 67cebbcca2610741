package io.ringmaster.cli.playground;

import io.ringmaster.cli.doctor.Checks;
import io.ringmaster.cli.doctor.Demand;
import io.ringmaster.cli.doctor.DoctorScreen;
import io.ringmaster.cli.doctor.LinuxHost;
import io.ringmaster.cli.doctor.Result;
import io.ringmaster.cli.follow.Display;
import io.ringmaster.cli.follow.Follower;
import io.ringmaster.cli.process.ProcessMark;
import io.ringmaster.cli.process.Programs;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The start of a playground, stage by stage. Whoever calls it cleans up when a stage fails. */
final class Playground {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

    private final Path home;
    private final Path root;
    private final Console console;
    private final LinuxHost host;
    private final Programs programs;

    Playground(Session session) {
        this.home = session.surroundings().home();
        this.root = session.surroundings().root();
        this.console = session.console();
        this.host = new LinuxHost(home, session.surroundings().environment());
        this.programs = new Programs(root);
    }

    ExampleSpec example() {
        Path file = root.resolve("examples/rides.yaml");
        try {
            return ExampleSpec.of(Files.readString(file));
        } catch (IOException e) {
            throw new Failure(ExitCode.FAILED, "cannot read " + file + ": " + e.getMessage(), null);
        }
    }

    /**
     * @param sizeAsBefore data were kept, and no other size is asked for than they have
     * @return the cluster, up
     */
    ClusterStatus start(Demand size, Options options, boolean sizeAsBefore) throws InterruptedException {
        long begun = System.nanoTime();
        try {
            preflight(size);
            say("build", Line.of("up to date"));
            ExampleSpec spec = example().scaled(size);
            new Binaries(home, programs, console).prepare(spec.cassandraVersion());
            List<PlaygroundState.Server> servers = startServers(size, options, spec);
            ClusterStatus status = deploy(spec, URI.create(servers.get(0).url()), options, sizeAsBefore);
            console.print(
                    PlaygroundScreen.up(status, servers, home, options, Duration.ofNanos(System.nanoTime() - begun)));
            return status;
        } catch (IOException e) {
            throw new Failure(
                    ExitCode.FAILED, "cannot write below " + home + ": " + e.getMessage(), "ringmaster doctor");
        }
    }

    private void preflight(Demand size) {
        List<Result> poor = Checks.run(host, size).stream()
                .filter(r -> r.status() != Result.Status.OK)
                .toList();
        if (poor.isEmpty()) {
            say("preflight", Line.of("ok"));
            return;
        }
        boolean failed = poor.stream().anyMatch(r -> r.status() == Result.Status.FAIL);
        say("preflight", Line.of(failed ? "this computer cannot run it:" : "ok, but:"));
        console.print(DoctorScreen.results(poor, console.width()));
        if (failed) {
            throw new Failure(
                    ExitCode.FAILED, "the preflight failed", "do what it advises, or ringmaster doctor for all of it");
        }
    }

    private List<PlaygroundState.Server> startServers(Demand size, Options options, ExampleSpec spec)
            throws IOException, InterruptedException {
        List<Integer> ports = Servers.freePorts(host, size.datacenters());
        Servers starter = new Servers(programs);
        List<PlaygroundState.Server> servers = new ArrayList<>();
        PlaygroundState state =
                new PlaygroundState(spec.cluster(), size, options.keepData(), ProcessMark.ofThisProcess(), List.of());
        for (int dc = 1; dc <= size.datacenters(); dc++) {
            servers.add(starter.start(new ServerFiles(home, dc), size, ports, spec.nodeMemoryBytes()));
            state.withServers(servers).write(home);
        }
        for (int dc = 1; dc <= size.datacenters(); dc++) {
            starter.awaitReady(servers.get(dc - 1), new ServerFiles(home, dc));
            say("dc" + dc, PlaygroundScreen.server(servers.get(dc - 1), Servers.FIRST_PORT + dc - 1, size));
        }
        return servers;
    }

    private ClusterStatus deploy(ExampleSpec spec, URI server, Options options, boolean sizeAsBefore)
            throws IOException, InterruptedException {
        Path file = PlaygroundState.directory(home).resolve(spec.cluster() + ".yaml");
        String token = Files.readString(home.resolve("token")).strip();
        var client = new RingmasterClient(server, token, CALL_TIMEOUT);
        ClusterName cluster = new ClusterName(spec.cluster());
        Optional<SpecRecord> kept = sizeAsBefore ? kept(client, cluster) : Optional.empty();
        Files.writeString(file, kept.isPresent() ? kept.get().source() : spec.yaml());
        long version = kept.isPresent()
                ? kept.get().version()
                : client.apply(cluster, spec.yaml(), null, ChangeOptions.APPLY).specVersion();
        if (kept.isPresent()) {
            say("resume", Line.of(cluster + ", spec version " + version + ", from the data that were kept"));
        }
        Follower follower = new Follower(client, cluster, options.timeout());
        try (Display display = new Display(console)) {
            follower.untilSettled(version, display);
            return follower.untilWhole(display);
        }
    }

    /** The spec as it was last declared, because what the user changed in it since shall stay. */
    private static Optional<SpecRecord> kept(RingmasterClient client, ClusterName cluster) {
        try {
            return Optional.of(client.spec(cluster));
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    private void say(String label, Line text) {
        console.print(PlaygroundScreen.stage(label, text));
    }
}
