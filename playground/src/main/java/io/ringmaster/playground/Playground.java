package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.follow.Display;
import io.ringmaster.cli.follow.Follower;
import io.ringmaster.cli.process.Programs;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.KeptServers;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.WebLink;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.playground.doctor.Checks;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.doctor.DoctorScreen;
import io.ringmaster.playground.doctor.LinuxHost;
import io.ringmaster.playground.doctor.Result;
import io.ringmaster.playground.loopback.HeldSockets;
import io.ringmaster.playground.loopback.LoopbackBlock;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.UnreachableException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts a playground, stage by stage. The caller cleans up when a stage fails. */
final class Playground {
    /** How long the servers may take to answer each other at first. */
    private static final Duration PEER_TIMEOUT = Duration.ofMinutes(1);

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PAGE_LINK = Duration.ofMinutes(10);

    private final Path home;
    private final Path root;
    private final Console console;
    private final HeldSockets held;
    private final Map<String, String> variables;
    private final Programs programs;
    private final Session session;
    private final KeptServers servers;

    /** @param held keeps the playground's addresses and ports from other playgrounds while this command runs */
    Playground(Session session, HeldSockets held) {
        this.held = held;
        this.session = session;
        this.home = session.environment().home();
        this.servers = new KeptServers(home);
        this.root = session.environment().root();
        this.console = session.console();
        this.variables = session.environment().variables();
        this.programs = new Programs(root);
    }

    ExampleSpec example() {
        Path file = root.resolve("examples/rides.yaml");
        try {
            return ExampleSpec.of(Files.readString(file));
        } catch (IOException e) {
            throw new Failure(ExitCode.FAILED, "cannot read " + file + ": " + ThrowableText.of(e), null);
        }
    }

    NetworkStart network() {
        return new NetworkStart(home, programs, console, held);
    }

    /**
     * @param block loopback addresses from {@link NetworkStart#block}
     * @param kept state of the playground that left its data
     * @return status of the running cluster
     */
    ClusterStatus start(Demand size, PlaygroundOptions options, LoopbackBlock block, Optional<PlaygroundState> kept)
            throws InterruptedException {
        LinuxHost host = new LinuxHost(home, variables, block, kept.isPresent());
        boolean sizeAsBefore = kept.map(PlaygroundState::size).equals(Optional.of(size));
        long start = System.nanoTime();
        try {
            preflight(host, size);
            say("build", Line.of("up to date"));
            ExampleSpec spec =
                    example().scaled(size).with(options.isEncrypted()).with(options.additions());
            new PlaygroundBinaries(home, programs, console).prepare(spec.cassandraVersion());
            Network network = network().start(host, size, options, block, kept);
            ServerAddresses addresses =
                    PlaygroundServers.addresses(host, network, size.datacenters(), options.isEncrypted(), held);
            List<PlaygroundState.Server> servers = startServers(size, network, addresses, options, spec);
            ClusterStatus status = deploy(spec, URI.create(servers.get(0).url()), options, sizeAsBefore);
            WebLink page = page(URI.create(servers.get(0).url()), options);
            console.print(PlaygroundScreen.up(
                    status, servers, home, options, page, Duration.ofNanos(System.nanoTime() - start)));
            return status;
        } catch (IOException e) {
            throw new Failure(
                    ExitCode.FAILED, "cannot write below " + home + ": " + ThrowableText.of(e), PROGRAM + " doctor");
        }
    }

    private void preflight(LinuxHost host, Demand size) {
        List<Result> poor = Checks.run(host, size).stream()
                .filter(r -> r.status() != Result.Status.OK)
                .toList();
        if (poor.isEmpty()) {
            say("preflight", Line.of("ok"));
            return;
        }
        boolean failed = poor.stream().anyMatch(r -> r.status() == Result.Status.FAIL);
        say("preflight", Line.of(failed ? "this computer cannot run a playground:" : "ok, but:"));
        console.print(DoctorScreen.results(poor, console.width()));
        if (failed) {
            throw new Failure(
                    ExitCode.FAILED,
                    "the preflight failed",
                    "follow its advice; " + PROGRAM + " doctor shows all checks");
        }
    }

    private List<PlaygroundState.Server> startServers(
            Demand size, Network network, ServerAddresses addresses, PlaygroundOptions options, ExampleSpec spec)
            throws IOException, InterruptedException {
        PlaygroundServers starter = new PlaygroundServers(programs);
        List<PlaygroundState.Server> servers = new ArrayList<>();
        PlaygroundState state = new PlaygroundState(
                spec.cluster(),
                size,
                options.keepData(),
                ProcessIdentity.ofThisProcess(),
                List.of(),
                network.isMoving(),
                network.block() == null
                        ? LoopbackBlock.FIRST.number()
                        : network.block().number(),
                options.isEncrypted(),
                network.wan());
        for (int dc = 1; dc <= size.datacenters(); dc++) {
            servers.add(starter.start(new ServerFiles(home, dc), size, network, addresses, spec.nodeMemoryBytes()));
            state.withServers(servers).write(home);
        }
        for (int dc = 1; dc <= size.datacenters(); dc++) {
            starter.awaitReady(
                    servers.get(dc - 1),
                    new ServerFiles(home, dc),
                    url -> this.servers.client(url, null, HEALTH_TIMEOUT));
            int wanted = network.wan() == null ? PlaygroundServers.FIRST_PORT + dc - 1 : PlaygroundServers.FIRST_PORT;
            say("dc" + dc, PlaygroundScreen.server(servers.get(dc - 1), wanted, size));
        }
        return servers;
    }

    private ClusterStatus deploy(ExampleSpec spec, URI server, PlaygroundOptions options, boolean sizeAsBefore)
            throws IOException, InterruptedException {
        Path file = PlaygroundState.directory(home).resolve(spec.cluster() + ".yaml");
        RingmasterClient client = client(server);
        ClusterName cluster = new ClusterName(spec.cluster());
        boolean isAsBefore = sizeAsBefore && options.additions().isEmpty();
        Optional<SpecRecord> last = isAsBefore ? keptSpec(client, cluster) : Optional.empty();
        Files.writeString(file, last.isPresent() ? last.get().source() : spec.yaml());
        long version = last.isPresent()
                ? last.get().version()
                : PatientApply.of(
                        () -> client.apply(cluster, spec.yaml(), null, ChangeOptions.APPLY)
                                .specVersion(),
                        PEER_TIMEOUT);
        if (last.isPresent()) {
            say("resume", Line.of(cluster + ", spec version " + version + ", from the kept data"));
        }
        Follower follower = new Follower(client, cluster, options.timeout());
        try (Display display = new Display(console)) {
            follower.untilSettled(version, false, display);
            return follower.untilWhole(display);
        }
    }

    private RingmasterClient client(URI server) throws IOException {
        return servers.client(server, Files.readString(home.resolve("token")).strip(), CALL_TIMEOUT);
    }

    /**
     * A link to the page; null without one, because the playground is complete without the page. By TLS it needs a
     * tunnel, which only a command in the foreground can keep open.
     */
    private @Nullable WebLink page(URI server, PlaygroundOptions options) throws IOException {
        if (options.isEncrypted() && options.detach()) {
            return null;
        }
        try {
            URI base = options.isEncrypted() ? session.tunnel(server, 0).url() : server;
            return WebLink.create(client(server), base, WebLink.START, PAGE_LINK);
        } catch (RefusedException | UnreachableException e) {
            return null;
        }
    }

    /** The last declared spec, so that the user's changes stay. */
    private static Optional<SpecRecord> keptSpec(RingmasterClient client, ClusterName cluster) {
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
