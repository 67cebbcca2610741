package io.ringmaster.cli.session;

import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers to try, best first, and the file with their token.
 *
 * @param tokenFile file with the token; without it only reads are possible
 * @param origin what named them, for messages: {@code --server}, the playground, ...
 * @param localServers named in the advice when none answers
 */
public record ServerCandidates(List<URI> candidates, Path tokenFile, String origin, LocalServers localServers) {
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
        Path token = tokenFile == null ? environment.home().resolve("token") : tokenFile;
        if (option != null) {
            return new ServerCandidates(List.of(url(option, "--server")), token, "--server", localServers);
        }
        String variable = environment.variables().getOrDefault("RINGMASTER_SERVER", "");
        if (!variable.isEmpty()) {
            return new ServerCandidates(
                    List.of(url(variable, "RINGMASTER_SERVER")), token, "RINGMASTER_SERVER", localServers);
        }
        List<URI> local = localServers.urls(environment);
        if (!local.isEmpty()) {
            return new ServerCandidates(local, token, localServers.origin(), localServers);
        }
        return new ServerCandidates(List.of(URI.create("http://127.0.0.1:8080")), token, DEFAULT_ORIGIN, localServers);
    }

    /** A client of the first server that accepts connections. */
    public RingmasterClient client() {
        return client(CALL_TIMEOUT);
    }

    RingmasterClient client(Duration timeout) {
        for (URI candidate : candidates) {
            if (accepts(candidate)) {
                return new RingmasterClient(candidate, token(), timeout);
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

    private @Nullable String token() {
        try {
            return Files.isReadable(tokenFile) ? Files.readString(tokenFile).strip() : null;
        } catch (IOException e) {
            throw new Failure(ExitCode.USAGE, "cannot read the token file " + tokenFile + ": " + e.getMessage(), null);
        }
    }

    private static URI url(String text, String origin) {
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
        int port = server.getPort() > 0 ? server.getPort() : "https".equals(server.getScheme()) ? 443 : 80;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.getHost(), port), PROBE_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
