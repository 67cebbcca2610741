package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.identity.ClusterAuthorities;
import io.ringmaster.core.view.View;
import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.server.change.ClusterChanges;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.RemoteClusters;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.refusal.ProblemException;
import java.util.List;
import java.util.stream.Collectors;

/** The authorities by which CQL clients trust the nodes of a cluster. Certificates are public, so anyone may read. */
final class CertificateRoutes {
    private static final int NOT_FOUND = 404;

    private final Views views;
    private final RemoteClusters remote;

    CertificateRoutes(Views views, RemoteClusters remote) {
        this.views = views;
        this.remote = remote;
    }

    List<ApiRoute> routes() {
        return List.of(new ApiRoute(
                HandlerType.GET,
                "clusters/{cluster}/ca",
                Access.read(Who.ANYONE, Extent.CLUSTER),
                this::clientAuthorities));
    }

    private void clientAuthorities(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        View view = views.now();
        String bundle = remote.read(view, cluster, Requests.reach(ctx), peer -> peer.clientAuthorities(cluster))
                .orElseGet(() -> here(view, cluster));
        ctx.contentType("application/x-pem-file");
        ctx.result(bundle);
    }

    private static String here(View view, ClusterName cluster) {
        if (!view.exists(cluster)) {
            throw ClusterChanges.unknown(cluster);
        }
        if (view.targetSpec(cluster).filter(s -> s.spec().encryptsCql()).isEmpty()) {
            throw missing(
                    cluster + " accepts CQL clients in clear text: its spec has no tls.clients",
                    "connect to it without TLS");
        }
        List<CertificatePem> authorities = ClusterAuthorities.trust(view, cluster, AuthorityUse.CLIENTS);
        if (authorities.isEmpty()
                || !ClusterAuthorities.unknown(view, cluster, AuthorityUse.CLIENTS)
                        .isEmpty()) {
            throw missing(
                    "the authorities of " + cluster + " for CQL clients are not all known here yet",
                    "try again in a few seconds");
        }
        return authorities.stream().map(a -> a.text().strip() + "\n").collect(Collectors.joining());
    }

    private static ProblemException missing(String what, String nextStep) {
        return new ProblemException(NOT_FOUND, Problem.of(ErrorCode.REQUEST_INVALID, what, nextStep));
    }
}
