package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.node.ExecutorLogs;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** The seeds of a node, and its logs. */
final class NodeRoutes {
    private static final Set<String> LOGS = Set.of("system", "daemon", "gc", "executor");
    private static final int LINES = 200;
    private static final int LINES_MAX = 10_000;

    private final Views views;
    private final FleetReader fleet;
    private final ExecutorLogs executors;

    NodeRoutes(Views views, FleetReader fleet, ExecutorLogs executors) {
        this.views = views;
        this.fleet = fleet;
        this.executors = executors;
    }

    List<ApiRoute> routes() {
        return List.of(
                new ApiRoute(HandlerType.GET, "seeds", Access.read(Who.ANYONE, Extent.FLEET), this::seeds),
                new ApiRoute(
                        HandlerType.GET,
                        "nodes/{cluster}/{datacenter}/{node}/logs",
                        Access.read(Who.OPERATOR, Extent.CLUSTER),
                        this::logs));
    }

    private void seeds(Context ctx) {
        String text = ctx.queryParam("node");
        if (text == null) {
            throw Requests.invalid("node", "missing; must look like rides/dc1/node-0");
        }
        NodeId node = Requests.parse("node", text, NodeId::of);
        ctx.json(Seeds.answer(views.now(), node).orElseThrow(() -> unknown(node)));
    }

    private void logs(Context ctx) {
        NodeId node = Requests.parse(
                "node",
                ctx.pathParam("cluster") + "/" + ctx.pathParam("datacenter") + "/" + ctx.pathParam("node"),
                NodeId::of);
        String asked = ctx.queryParam("file");
        String file = asked == null ? "system" : asked;
        if (!LOGS.contains(file)) {
            throw Requests.invalid("file", "'" + file + "' must be one of system, daemon, gc, executor");
        }
        int lines = Requests.number(ctx, "lines", 1, LINES_MAX, LINES);
        View view = views.now();
        ctx.contentType("text/plain; charset=utf-8");
        if (!node.datacenter().equals(view.datacenter())) {
            String text = fleet.askOne(view, node.datacenter(), peer -> peer.logs(node, file, lines));
            ctx.result(text);
            return;
        }
        NodeRecord record = view.nodes().get(node);
        if (record == null) {
            throw unknown(node);
        }
        try {
            ctx.result(executors.tail(record.allocation(), file, lines));
        } catch (IOException e) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.EXECUTOR_FAILED,
                    node + ": " + ThrowableText.of(e),
                    "read the log files in the allocation's directory on "
                            + record.allocation().machine()));
        }
    }

    private static ProblemException unknown(NodeId node) {
        return ProblemException.of(Problem.of(
                ErrorCode.NODE_UNKNOWN,
                "no node " + node + " exists in this datacenter",
                Advice.listNodes(node.cluster())));
    }
}
