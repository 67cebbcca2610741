package io.ringmaster.wire.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.json.Json;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.wire.api.ProblemDetails;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** HTTP exchanges with a time limit that includes the body. Refusals become exceptions. */
final class HttpJson {
    /**
     * The longest time for a new connection, TLS included: on a busy machine a first handshake takes seconds. The limit
     * of the call counts, too.
     */
    private static final Duration CONNECT = Duration.ofSeconds(15);

    /** The user in the audit, limited to characters that a header may contain. */
    private static final String USER =
            System.getProperty("user.name", "unknown").replaceAll("[^A-Za-z0-9._@-]", "_");

    private final HttpClient http;
    private final @Nullable String token;
    private final String user;
    private final @Nullable String principal;
    private final Duration timeout;
    private final boolean peer;

    /**
     * @param token the API token, or null for open reads only
     * @param tls which servers are trusted; null for the roots of the JVM
     */
    HttpJson(@Nullable String token, Duration timeout, @Nullable SSLContext tls) {
        this(client(tls), token, USER, null, timeout, false);
    }

    private static HttpClient client(@Nullable SSLContext tls) {
        HttpClient.Builder client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NORMAL);
        return tls == null
                ? client.build()
                : client.sslContext(tls)
                        .sslParameters(TlsContexts.parameters(tls))
                        .build();
    }

    private HttpJson(
            HttpClient http,
            @Nullable String token,
            String user,
            @Nullable String principal,
            Duration timeout,
            boolean peer) {
        this.http = http;
        this.token = token;
        this.user = user;
        this.principal = principal;
        this.timeout = timeout;
        this.peer = peer;
    }

    /** The same connections, for a user with these rights and with another time limit. */
    HttpJson as(Principal caller, Duration otherTimeout) {
        return new HttpJson(http, token, caller.name(), PrincipalHeader.write(caller), otherTimeout, peer);
    }

    /** The same connections, for the requests of a server. */
    HttpJson asPeer() {
        return new HttpJson(http, token, user, principal, timeout, true);
    }

    HttpClient http() {
        return http;
    }

    HttpRequest.Builder request(URI uri) {
        var request = HttpRequest.newBuilder(uri).header("Ringmaster-User", user);
        if (principal != null) {
            request.header(PrincipalHeader.NAME, principal);
        }
        if (peer) {
            request.header(RingmasterClient.PEER_HEADER, "1");
        }
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    /**
     * @throws RefusedException the server refused the request
     * @throws UnreachableException no answer in time
     */
    String send(HttpRequest request) {
        var answer = http.sendAsync(request, BodyHandlers.ofString());
        try {
            HttpResponse<String> response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() >= 300) {
                throw new RefusedException(response.statusCode(), problems(response));
            }
            return response.body();
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw unreachable(request, new IOException("no answer within " + timeout.toMillis() + " ms", e));
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw unreachable(request, new IOException("interrupted", e));
        } catch (ExecutionException e) {
            throw unreachable(request, e.getCause() instanceof IOException io ? io : new IOException(e.getCause()));
        }
    }

    <T> T get(URI uri, TypeReference<T> type) {
        return read(uri, send(request(uri).GET().build()), type);
    }

    static <T> T read(URI uri, String body, TypeReference<T> type) {
        try {
            return Json.mapper().readValue(body, type);
        } catch (JsonProcessingException e) {
            throw new UnreachableException(uri + " does not answer as a Ringmaster server does", e);
        }
    }

    private static UnreachableException unreachable(HttpRequest request, IOException cause) {
        URI uri = request.uri();
        String what = uri.getScheme() + "://" + uri.getAuthority() + ": " + FailureReason.of(cause);
        if (request.method().equals("GET")) {
            return new UnreachableException(what, cause);
        }
        if (isDryRun(uri)) {
            return new UnreachableException(what + "; nothing was changed", cause);
        }
        boolean sent = !isBeforeSending(cause);
        String outcome = sent ? "; the request may have been taken" : "; nothing was sent";
        return new UnreachableException(what + outcome, cause, sent);
    }

    private static boolean isDryRun(URI uri) {
        return uri.getQuery() != null && uri.getQuery().contains("dryRun=true");
    }

    /** Whether there was no connection yet. */
    private static boolean isBeforeSending(IOException cause) {
        return cause instanceof HttpConnectTimeoutException
                || cause instanceof ConnectException
                || cause instanceof SSLHandshakeException;
    }

    private static List<Problem> problems(HttpResponse<String> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (type.startsWith(ProblemDetails.MEDIA_TYPE)) {
            try {
                List<Problem> problems =
                        Json.parse(response.body(), ProblemDetails.class).problems();
                if (!problems.isEmpty()) {
                    return problems;
                }
            } catch (UncheckedIOException e) {
                return List.of(foreign(response));
            }
        }
        return List.of(foreign(response));
    }

    private static Problem foreign(HttpResponse<String> response) {
        return Problem.of(
                ErrorCode.INTERNAL,
                response.uri() + " answered HTTP " + response.statusCode() + " without a reason",
                "check that this is the address of a Ringmaster server");
    }
}
