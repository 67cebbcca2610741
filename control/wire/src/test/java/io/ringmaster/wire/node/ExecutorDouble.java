package io.ringmaster.wire.node;

import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.wire.FakeServer;
import io.ringmaster.wire.FakeServer.Asked;
import io.ringmaster.wire.FakeServer.Reply;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Speaks HTTP as an executor does: long polls by revision, targets of an older generation refused. Runs no daemon. */
final class ExecutorDouble implements AutoCloseable {
    private static final Pattern STATUS = Pattern.compile("/v1/status\\?after=(\\d+)&wait_ms=(\\d+)");

    private final FakeServer server;
    private NodeTarget target;
    private long revision = 1;

    ExecutorDouble(int port, NodeTarget first) {
        target = first;
        server = new FakeServer(port, this::answer);
    }

    synchronized NodeTarget target() {
        return target;
    }

    @Override
    public void close() {
        server.close();
    }

    private synchronized Reply answer(Asked asked) throws InterruptedException {
        if (asked.method().equals("PUT")) {
            return asked.uri().endsWith("?while=down")
                    ? new Reply(409, "application/problem+json", "{}") // its daemon always runs
                    : take(Json.parse(asked.body(), NodeTarget.class));
        }
        Matcher query = STATUS.matcher(asked.uri());
        if (!query.matches()) {
            return new Reply(404, "text/plain", "");
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(query.group(2)));
        while (revision == Long.parseLong(query.group(1))) {
            long leftMs = (end - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                break;
            }
            wait(leftMs);
        }
        return Reply.json("{\"revision\":" + revision + ",\"status\":" + Json.text(status()) + "}");
    }

    private Reply take(NodeTarget fresh) {
        if (fresh.generation() < target.generation()) {
            return new Reply(409, "application/problem+json", "{}");
        }
        if (!fresh.equals(target)) {
            target = fresh;
            revision++;
            notifyAll();
        }
        return Reply.json("{\"generation\":" + target.generation() + "}");
    }

    private NodeStatus status() {
        return new NodeStatus(
                target.node(),
                target.generation(),
                target.specVersion(),
                0,
                OperatingMode.NORMAL,
                "serves",
                Instant.EPOCH,
                Map.of(),
                1,
                2L,
                0,
                null,
                null,
                null,
                Map.of());
    }
}
