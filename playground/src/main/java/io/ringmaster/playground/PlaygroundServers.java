package io.ringmaster.playground;

import io.ringmaster.cli.process.Programs;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.doctor.Host;
import io.ringmaster.playground.loopback.HeldSockets;
import io.ringmaster.wire.api.Health;
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
import java.util.function.Function;
import java.util.stream.IntStream;

/** Starts the servers of the datacenters in their own sessions, so that they outlive this command and its terminal. */
final class PlaygroundServers {
    private static final Duration READY = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(100);
    static final int FIRST_PORT = 8080;
    private static final int PORTS_TRIED = 200;

    private final Programs programs;

    PlaygroundServers(Programs programs) {
        this.programs = programs;
    }

    /**
     * Address and port for each datacenter: free ports from 8080 on, or 8080 where each datacenter has its own address.
     */
    static ServerAddresses addresses(Host host, Network network, int datacenters, boolean tls, HeldSockets held) {
        if (network.wan() == null) {
            List<String> free = freePorts(host, datacenters, held).stream()
                    .map(port -> network.server(1) + ":" + port)
                    .toList();
            return new ServerAddresses(free, tls);
        }
        List<String> own = IntStream.rangeClosed(1, datacenters)
                .mapToObj(n -> network.server(n) + ":" + FIRST_PORT)
                .toList();
        return new ServerAddresses(own, tls);
    }

    /** Held first: another start may find the port free, too, until the server listens. */
    private static List<Integer> freePorts(Host host, int count, HeldSockets held) {
        List<Integer> free = new ArrayList<>();
        for (int port = FIRST_PORT; free.size() < count && port < FIRST_PORT + PORTS_TRIED; port++) {
            if (held.serverPort(port) && host.canListen("127.0.0.1", port)) {
                free.add(port);
            }
        }
        if (free.size() < count) {
            throw new Failure(ExitCode.FAILED, "no free port from 8080 to " + (FIRST_PORT + PORTS_TRIED), null);
        }
        return free;
    }

    PlaygroundState.Server start(
            ServerFiles files, Demand size, Network network, ServerAddresses addresses, long nodeMemoryBytes)
            throws IOException {
        files.write(size, network, addresses, nodeMemoryBytes, programs.dist());
        ProcessBuilder builder = programs.server(files.config(), PlaygroundPoolFactory.class);
        builder.command().add(0, "setsid");
        builder.command().addAll(0, network.enter(files.datacenter()));
        Files.deleteIfExists(files.log());
        Process process = builder.directory(files.directory().toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(files.log().toFile())
                .start();
        ProcessIdentity mark =
                ProcessIdentity.of(process.pid()).orElseThrow(() -> failed(files, "the server ended at once"));
        return new PlaygroundState.Server(files.datacenter(), addresses.url(files.number()), mark);
    }

    /**
     * @param client makes a client for a server's URL
     * @throws Failure the server ended or is not ready in time; with the end of its log
     */
    void awaitReady(PlaygroundState.Server server, ServerFiles files, Function<URI, RingmasterClient> client)
            throws InterruptedException {
        long deadline = System.nanoTime() + READY.toNanos();
        String last = "no answer yet";
        while (System.nanoTime() < deadline) {
            if (!server.process().isAlive()) {
                throw failed(files, "the server of " + server.datacenter() + " ended while starting");
            }
            try {
                // a server writes its CA, without which it cannot be asked by TLS, as it starts
                Health health = client.apply(URI.create(server.url())).health();
                if (health.state() == Health.State.LEADING && health.poolSeen()) {
                    return;
                }
                last = "state " + health.state() + (health.poolSeen() ? "" : ", machines not seen yet");
            } catch (UnreachableException | RefusedException | Failure e) {
                last = ThrowableText.of(e);
            }
            Thread.sleep(POLL.toMillis());
        }
        throw failed(
                files,
                "the server of " + server.datacenter() + " is not ready after " + READY.toSeconds() + " s: " + last);
    }

    private static Failure failed(ServerFiles files, String cause) {
        return new StageFailure(cause, files.log()).failure();
    }
}
