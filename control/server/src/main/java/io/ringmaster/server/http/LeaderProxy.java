package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.ports.StoreUnavailableException;
import io.ringmaster.server.http.Access.Answers;
import io.ringmaster.server.read.LeadershipState;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.client.FailureReason;
import io.ringmaster.wire.client.PeerCredentials;
import io.ringmaster.wire.client.PrincipalHeader;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the requests of a standby to the leader. The standby answers reads itself when the leader does not answer.
 */
final class LeaderProxy {
    private static final String MARK = "Ringmaster-Forwarded";
    private static final List<String> FORWARDED =
            List.of("If-Match", "If-Plan", "Content-Type", "Accept", Caller.HEADER, RingmasterClient.PEER_HEADER);
    private static final Duration PATIENCE_READ = Duration.ofSeconds(5);
    private static final Duration PATIENCE_CHANGE = Duration.ofSeconds(30);

    private final LeadershipState lead;
    private final PeerCredentials credentials;
    private final HttpClient http;

    /**
     * @param credentials their token goes to the leader instead of the caller's, together with the caller's rights
     */
    LeaderProxy(LeadershipState lead, PeerCredentials credentials) {
        this.lead = lead;
        this.credentials = credentials;
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2));
        this.http = (credentials.tls() == null
                        ? client
                        : client.sslContext(credentials.tls()).sslParameters(TlsContexts.parameters(credentials.tls())))
                .build();
    }

    /** Answers the request if the leader must answer it; otherwise the route answers. */
    void check(Context ctx) {
        Access access = Access.of(ctx.routeRoles());
        boolean change = access != null && access.answers() == Answers.LEADER;
        Optional<Problem> trouble = change ? lead.storeTrouble() : Optional.empty();
        if (trouble.isPresent()) {
            throw ProblemException.of(trouble.get());
        }
        if (access == null || access.answers() == Answers.SELF || lead.leads()) {
            return;
        }
        Optional<URI> leader = ctx.header(MARK) == null ? lead.otherLeader() : Optional.empty();
        String why = leader.isEmpty() ? "no leader is known" : forward(ctx, leader.get(), change);
        if (why == null) {
            ctx.skipRemainingHandlers();
        } else if (change) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.NOT_LEADER,
                    "this server does not lead its datacenter: " + why,
                    "try again in a few seconds"));
        }
    }

    /**
     * Lets the leader answer a change for which the caller of a standby lacks the right: only the leader can keep the
     * refusal in the audit.
     *
     * @return whether it has answered; if not, nothing else may carry out the request
     */
    boolean refuses(Context ctx, ProblemException refusal) {
        Access access = Access.of(ctx.routeRoles());
        boolean change = access != null && access.answers() == Answers.LEADER;
        if (refusal.status() != 403 || !change || lead.leads() || ctx.header(MARK) != null) {
            return false;
        }
        return lead.otherLeader()
                .filter(leader -> forward(ctx, leader, true) == null)
                .isPresent();
    }

    /** What to answer where the store did not: its own reason, where this server knows that. */
    Problem storeUnavailable(StoreUnavailableException e) {
        return lead.storeTrouble()
                .orElseGet(() -> Problem.of(
                        ErrorCode.STORE_UNAVAILABLE, ThrowableText.of(e), "check ZooKeeper, then try again"));
    }

    /** @return why the leader did not answer, or null if it answered */
    private @Nullable String forward(Context ctx, URI leader, boolean change) {
        if (!credentials.permits(leader)) {
            return "the leader " + leader + " has no TLS";
        }
        String query = ctx.queryString();
        var request = HttpRequest.newBuilder(
                        URI.create(leader + ctx.req().getRequestURI() + (query == null ? "" : "?" + query)))
                .timeout(change ? PATIENCE_CHANGE : PATIENCE_READ)
                .header(MARK, "1")
                .method(ctx.method().name(), BodyPublishers.ofByteArray(ctx.bodyAsBytes()));
        for (String name : FORWARDED) {
            String value = ctx.header(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        Principal caller = Caller.of(ctx);
        if (!caller.isAnonymous()) {
            request.setHeader("Authorization", "Bearer " + credentials.token().reveal())
                    .setHeader(Caller.HEADER, caller.name())
                    .setHeader(PrincipalHeader.NAME, PrincipalHeader.write(caller));
        }
        try {
            HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
            ctx.status(response.statusCode());
            response.headers().firstValue("Content-Type").ifPresent(ctx::contentType);
            response.headers().firstValue("ETag").ifPresent(tag -> ctx.header("ETag", tag));
            ctx.result(response.body());
            return null;
        } catch (IOException e) {
            return "the leader " + leader + " does not answer (" + FailureReason.of(e) + ")";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
