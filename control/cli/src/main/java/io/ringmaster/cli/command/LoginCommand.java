package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.InputFile;
import io.ringmaster.cli.session.KeptServers;
import io.ringmaster.cli.session.ServerCandidates;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.identity.Fingerprint;
import io.ringmaster.identity.PresentedChain;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster login}: keeps the CA and the token of a server. */
@Command(
        name = "login",
        description = "Keep the CA and the token of a server for later commands with its URL.",
        footer = {
            "",
            "The token is read from --token-file, or from standard input.",
            "",
            "Example:",
            "  ringmaster login https://rm.example.com:8080 --ca sha256:4f1a... --token-file token"
        })
public final class LoginCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int HTTPS = 443;

    @ParentCommand
    private SessionSource root;

    @Parameters(paramLabel = "URL", description = "The https URL of the server.")
    private String url;

    @Option(
            names = "--ca",
            paramLabel = "FINGERPRINT",
            description = "Fingerprint of the server's CA, from the server's log; without it you are asked.")
    private @Nullable String ca;

    @Override
    public Integer call() {
        URI server = ServerCandidates.url(url, "URL");
        if (!"https".equals(server.getScheme())) {
            throw new Failure(ExitCode.USAGE, server + " has no certificate", "write it as https://host:port");
        }
        Session session = root.session();
        X509Certificate authority = authority(server, session);
        String token = token(session);
        // a wrong name, an ended certificate or a wrong token fails here, and nothing is kept
        new RingmasterClient(server, token, LIMIT, KeptServers.trusting(List.of(authority))).datacenter();
        keep(server, authority, token, session);
        var kept = Map.of(
                "server", server.toString(), "ca", Fingerprint.of(authority).toString());
        session.print(
                kept,
                () -> List.of(
                        Line.of("logged in to " + server),
                        Line.of("  try: " + PROGRAM + " --server " + server + " cluster list")));
        return ExitCode.OK.number();
    }

    /** The certificate with the fingerprint; without one, the last that the server presents, once it is confirmed. */
    private X509Certificate authority(URI server, Session session) {
        List<X509Certificate> chain = chain(server);
        X509Certificate last = chain.get(chain.size() - 1);
        if (ca == null && !session.environment().person()) {
            throw new Failure(
                    ExitCode.REFUSED,
                    server + " presents the CA " + Fingerprint.of(last) + ", and no terminal is there to confirm it",
                    "add --ca with the fingerprint in the server's log");
        }
        if (ca == null) {
            session.confirm(
                    server + " presents the CA " + Fingerprint.of(last) + ". Is this the one in its log?", false);
            return last;
        }
        Fingerprint wanted = fingerprint(ca);
        return chain.stream()
                .filter(certificate -> Fingerprint.of(certificate).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new Failure(
                        ExitCode.REFUSED,
                        server + " presents the CA " + Fingerprint.of(last) + ", not " + wanted + "; nothing was sent",
                        "compare with the fingerprint in the server's log"));
    }

    private static List<X509Certificate> chain(URI server) {
        int port = server.getPort() > 0 ? server.getPort() : HTTPS;
        try {
            return PresentedChain.of(server.getHost(), port, (int) LIMIT.toMillis());
        } catch (IOException e) {
            throw new Failure(
                    ExitCode.UNREACHABLE,
                    "no server answers by TLS at " + server + " (" + ThrowableText.of(e) + ")",
                    "check the URL, and tls: on in its server.yaml");
        }
    }

    private static Fingerprint fingerprint(String text) {
        try {
            return Fingerprint.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Failure(ExitCode.USAGE, "--ca: " + ThrowableText.of(e), "copy it from the server's log");
        }
    }

    private String token(Session session) {
        Path file = root.tokenFile();
        if (file == null && session.environment().person()) {
            session.console().note(Line.of("Paste the token, then press Enter and Ctrl-D."));
        }
        String token = InputFile.read(file == null ? Path.of("-") : file, session.environment())
                .strip();
        if (token.isEmpty() || token.chars().anyMatch(Character::isWhitespace)) {
            throw new Failure(ExitCode.USAGE, "there is no token to keep", "name its file with --token-file");
        }
        return token;
    }

    private static void keep(URI server, X509Certificate authority, String token, Session session) {
        var kept = new KeptServers(session.environment().home());
        try {
            kept.keep(server, authority, token);
        } catch (IOException e) {
            throw new Failure(ExitCode.FAILED, "the login cannot be kept: " + ThrowableText.of(e), null);
        }
    }
}
