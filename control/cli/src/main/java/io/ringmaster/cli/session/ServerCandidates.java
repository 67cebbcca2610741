package io.ringmaster.cli.session;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The servers to try, best first, and the file with their token.
 *
 * @param tokenFile file with the token; without it only reads are possible
 * @param origin what named them, for messages: {@code --server}, the playground, ...
 * @param localServers named in the advice when none answers
 * @param kept CAs of servers
 */
public record ServerCandidates(
        List<URI> candidates, Path tokenFile, String origin, LocalServers localServers, KeptServers kept) {
    private static final String DEFAULT_ORIGIN = "the default";
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final int PROBE_MS = 1_000;

    public ServerCandidates {
        candidates = List.copyOf(candidates);
    }

    /**
     * Finds servers in this order: option, environment variable, servers on this computer, default.
     *
     * @param option value of --server, or null
     * @param localServers asked when neither the user nor the environment names a server
     */
    public static ServerCandidates find(
            @Nullable String option, @Nullable Path tokenFile, Environment environment, LocalServers localServers) {
        var kept = new KeptServers(environment.home());
        Path token = tokenFile == null ? environment.home().resolve("token") : tokenFile;
        if (option != null) {
            return one(url(option, "--server"), tokenFile, token, "--server", localServers, kept);
        }
        String variable = environment.variables().getOrDefault("RINGMASTER_SERVER", "");
        if (!variable.isEmpty()) {
            URI server = url(variable, "RINGMASTER_SERVER");
            return one(server, tokenFile, token, "RINGMASTER_SERVER", localServers, kept);
        }
        List<URI> local = localServers.urls(environment);
        if (!local.isEmpty()) {
            return new ServerCandidates(local, token, localServers.origin(), localServers, kept);
        }
        return new ServerCandidates(
                List.of(URI.create("http://127.0.0.1:8080")), token, DEFAULT_ORIGIN, localServers, kept);
    }

    /** The token of the login counts, unless the user names a file. */
    private static ServerCandidates one(
            URI server, @Nullable Path named, Path usual, String origin, LocalServers local, KeptServers kept) {
        Path token = named == null ? kept.tokenFile(server).orElse(usual) : named;
        return new ServerCandidates(List.of(server), token, origin, local, kept);
    }

    /** A client of the first server that accepts connections. */
    public RingmasterClient client() {
        return client(CALL_TIMEOUT);
    }

    RingmasterClient client(Duration timeout) {
        for (URI candidate : candidates) {
            checkPrivacy(candidate);
            if (accepts(candidate)) {
                return kept.client(candidate, token(), timeout);
            }
        }
        String tried = String.join(", ", candidates.stream().map(URI::toString).toList());
        throw new Failure(
                ExitCode.UNREACHABLE,
                "no server answers at " + tried + " (from " + origin + ")",
                origin.equals(DEFAULT_ORIGIN)
                        ? LocalServers.advice(localServers.start(), "name a server with --server or RINGMASTER_SERVER")
                        : LocalServers.advice(localServers.status(), "curl " + candidates.get(0) + "/api/v1/health"));
    }

    /** A way for a browser to a server that is reached by TLS. */
    PageTunnel tunnel(URI server, int port, Consumer<String> failures) throws IOException {
        return PageTunnel.open(port, server, kept.trust(server), failures);
    }

    /** Servers that this user has started are asked as they are, also in networks of their own. */
    private void checkPrivacy(URI server) {
        boolean open = "http".equals(server.getScheme()) && !origin.equals(localServers.origin());
        if (open && token() != null && !isHere(server)) {
            throw new Failure(
                    ExitCode.USAGE,
                    server + " is not on this computer, and a token is not sent there without TLS",
                    "use the https URL of the server (tls: on in its server.yaml), or forward its port to 127.0.0.1");
        }
    }

    /** What is sent to an address of this computer never leaves it. */
    private static boolean isHere(URI server) {
        try {
            InetAddress address = InetAddress.getByName(server.getHost());
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException e) {
            return false;
        }
    }

    private @Nullable String token() {
        try {
            return Files.isReadable(tokenFile) ? Files.readString(tokenFile).strip() : null;
        } catch (IOException e) {
            throw new Failure(
                    ExitCode.USAGE, "cannot read the token file " + tokenFile + ": " + ThrowableText.of(e), null);
        }
    }

    /**
     * Reads a base URL; http where it says no scheme.
     *
     * @param origin what named it, for errors
     */
    public static URI url(String text, String origin) {
        String full = text.contains("://") ? text : "http://" + text;
        try {
            URI url = URI.create(full);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (http && url.getHost() != null) {
                return URI.create(url.getScheme() + "://" + url.getAuthority());
            }
        } catch (IllegalArgumentException e) {
            throw badUrl(text, origin);
        }
        throw badUrl(text, origin);
    }

    private static Failure badUrl(String text, String origin) {
        return new Failure(
                ExitCode.USAGE,
                origin + " '" + text + "' is not a server's base URL",
                "write it as http://127.0.0.1:8080");
    }

    private static boolean accepts(URI server) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.getHost(), KeptServers.port(server)), PROBE_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
