package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.peer.HttpPeers;
import java.util.List;

/** The exchange of reports between datacenters. */
final class PeerRoutes {
    /** Above the report of 1,000 clusters of ten nodes with fifty requests each: about 20 MB, computed. */
    private static final int REPORT_LIMIT_BYTES = 64 << 20;

    private final HttpPeers peers;

    PeerRoutes(HttpPeers peers) {
        this.peers = peers;
    }

    List<ApiRoute> routes() {
        return List.of(new ApiRoute(
                HandlerType.POST,
                "peers/exchange",
                Access.change(Who.PEER, Extent.FLEET).withoutSessions(),
                this::exchange));
    }

    private void exchange(Context ctx) {
        DatacenterReport theirs = Requests.json(Requests.body(ctx, REPORT_LIMIT_BYTES), DatacenterReport.class);
        try {
            ctx.json(peers.receive(theirs)
                    .orElseThrow(() -> ProblemException.of(Problem.of(
                            ErrorCode.NOT_LEADER,
                            "this server has no report of its datacenter yet",
                            "try again in a few seconds"))));
        } catch (IllegalArgumentException e) {
            throw Requests.invalid("servers", ThrowableText.of(e));
        }
    }
}
