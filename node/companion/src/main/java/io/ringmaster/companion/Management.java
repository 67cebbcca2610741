package io.ringmaster.companion;

import io.ringmaster.companion.ManagementServer.Route;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.service.StorageService;

/** What can be asked of a node over its management socket. */
final class Management {
    private final NodeView view;

    /** @param starter the thread that runs Cassandra's start, and ends with it */
    Management(Thread starter) {
        this.view = new NodeView(starter);
    }

    Map<String, Route> routes() {
        Map<String, Route> routes = new TreeMap<>();
        routes.put("GET /node", (body, reply) -> reply.json(view.read()));
        routes.put("GET /metrics", (body, reply) -> reply.text(Metrics.text()));
        routes.put("POST /mbean", MBeanCall::answer);
        routes.put("POST /drain", (body, reply) -> {
            view.requireStarted("drain");
            StorageService.instance.drain();
            reply.json(view.read());
        });
        routes.put("POST /stop", (body, reply) -> {
            reply.json(Map.of("stopping", true));
            ManagementServer.daemon("ringmaster-stop", () -> System.exit(0));
        });
        return routes;
    }
}
