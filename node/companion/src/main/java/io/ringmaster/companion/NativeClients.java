package io.ringmaster.companion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.metrics.ClientMetrics;
import org.apache.cassandra.transport.ConnectedClient;
import org.apache.cassandra.transport.ConnectionStage;

/** The clients connected by the native protocol, under the field names of {@code RingView.ClientSeen} in the model. */
final class NativeClients {
    /** Bounds the size of the answer. */
    private static final int MAX_CLIENTS = 50;

    private record Client(String address, String user, String driver) implements Comparable<Client> {
        @Override
        public int compareTo(Client other) {
            return toString().compareTo(other.toString());
        }
    }

    private NativeClients() {}

    /** Leaves out connections that only requested the protocol's options, as port checks do. */
    static List<Map<String, Object>> connected() {
        Map<Client, Integer> connections = new HashMap<>(); // the few different ones are sorted, not all
        for (ConnectedClient client : ClientMetrics.instance.allConnectedClients()) {
            if (client.stage() == ConnectionStage.READY) {
                connections.merge(key(client), 1, Integer::sum);
            }
        }
        List<Map<String, Object>> answer = new ArrayList<>();
        new TreeMap<>(connections).forEach((client, count) -> {
            if (answer.size() < MAX_CLIENTS) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("address", client.address);
                fields.put("user", client.user);
                fields.put("driver", client.driver);
                fields.put("connections", count);
                answer.add(fields);
            }
        });
        return answer;
    }

    private static Client key(ConnectedClient client) {
        String driver = client.driverName()
                .map(name -> name + client.driverVersion().map(v -> " " + v).orElse(""))
                .orElse("");
        return new Client(
                client.remoteAddress().getAddress().getHostAddress(),
                client.username().orElse("anonymous"),
                driver);
    }
}
