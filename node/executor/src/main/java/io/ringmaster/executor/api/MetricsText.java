package io.ringmaster.executor.api;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NoAnswerException;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** The executor's metrics of its node, followed by Cassandra's own, in the Prometheus text format. */
final class MetricsText {
    private MetricsText() {}

    /** Cassandra's text may have megabytes, more than the heap of an executor holds twice: it is copied as it comes. */
    static void write(NodeStatus status, CompanionClient companion, OutputStream to) throws IOException {
        to.write(own(status).getBytes(StandardCharsets.UTF_8));
        Long pid = status.daemonPid();
        if (pid == null) {
            return;
        }
        try {
            companion.copy(pid, "GET /metrics", Duration.ofSeconds(5), to);
        } catch (NoAnswerException e) {
            to.write(("# Cassandra does not answer: " + ThrowableText.of(e) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String own(NodeStatus status) {
        StringBuilder text = new StringBuilder();
        for (OperatingMode mode : OperatingMode.values()) {
            line(
                    text,
                    "ringmaster_node_mode{mode=\"" + mode.name().toLowerCase(Locale.ROOT) + "\"}",
                    mode == status.mode() ? 1 : 0);
        }
        line(text, "ringmaster_node_generation", status.generation());
        line(text, "ringmaster_node_spec_version", status.appliedSpecVersion());
        line(text, "ringmaster_node_exits", status.exits());
        line(text, "ringmaster_node_problem", status.problem() == null ? 0 : 1);
        RingView ring = status.ring();
        if (ring != null) {
            line(text, "ringmaster_node_load_bytes", ring.loadBytes());
            line(text, "ringmaster_node_ownership", ring.ownership());
            line(text, "ringmaster_node_pending_hints_bytes", ring.pendingHintsBytes());
            line(text, "ringmaster_node_peers", ring.peers().size());
            line(
                    text,
                    "ringmaster_node_peers_alive",
                    ring.peers().stream().filter(RingView.PeerSeen::alive).count());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, Number value) {
        text.append(name).append(' ').append(value).append('\n');
    }
}
