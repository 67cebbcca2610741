package io.ringmaster.executor.api;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/** The executor's metrics of its node, followed by Cassandra's own, in the Prometheus text format. */
final class MetricsText {
    private MetricsText() {}

    static String of(NodeStatus status, CompanionClient companion) {
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
        Long pid = status.daemonPid();
        return pid == null ? text.toString() : text + cassandra(companion, pid);
    }

    private static String cassandra(CompanionClient companion, long pid) {
        try {
            CompanionClient.Answer answer = companion.call(pid, "GET /metrics", new byte[0], Duration.ofSeconds(5));
            return answer.status() == 200 ? answer.body() : "";
        } catch (IOException e) {
            return "# Cassandra does not answer: " + ThrowableText.of(e) + "\n";
        }
    }

    private static void line(StringBuilder text, String name, Number value) {
        text.append(name).append(' ').append(value).append('\n');
    }
}
