package io.ringmaster.cli.session;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.wire.api.LoginCode;
import io.ringmaster.wire.client.RingmasterClient;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;

/**
 * A link that opens one session of the page, once. The code stands behind {@code #}, which a browser sends to nobody.
 *
 * @param url for example {@code http://127.0.0.1:8080/login?to=/plans#CODE}
 */
public record WebLink(String url, Instant expiresAt) {
    /** Where the page starts. */
    public static final String START = "/";

    /**
     * Asks the server for a code.
     *
     * @param base the URL at which the browser reaches the server
     * @param path the screen to show, checked by {@link #checked}
     * @throws io.ringmaster.wire.client.RefusedException also when the server was built without the page
     */
    public static WebLink create(RingmasterClient client, URI base, String path, Duration lifetime) {
        client.checkPage();
        LoginCode code = client.loginCode(lifetime);
        String to = path.equals(START)
                ? ""
                : "?to=" + URLEncoder.encode(path, UTF_8).replace("%2F", "/").replace("+", "%20");
        return new WebLink(base + "/login" + to + "#" + code.code(), code.expiresAt());
    }

    /** The path if it stays on the server: a browser takes {@code //host} and {@code /\host} for another server. */
    public static String checked(String path) {
        boolean local = path.startsWith("/") && !path.startsWith("//");
        if (!local || path.chars().anyMatch(c -> c < ' ' || c == '\\' || c == 0x7f)) {
            throw new Failure(
                    ExitCode.USAGE,
                    "'" + path + "' is not a path of the page: it must start with one /",
                    PROGRAM + " web /clusters/rides");
        }
        return path;
    }
}
