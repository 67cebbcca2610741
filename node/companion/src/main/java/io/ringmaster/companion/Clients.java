package io.ringmaster.companion;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.metrics.ClientMetrics;
import org.apache.cassandra.transport.ConnectedClient;
import org.apache.cassandra.transport.ConnectionStage;

/** Who is connected by the native protocol; the names are those of {@code RingView.ClientSeen} in the model. */
final class Clients {
    /** So that the answer stays small, however many there are. */
    private static final int MOST = 50;

    private record Who(String address, String user, String driver) implements Comparable<Who> {
        @Override
        public int compareTo(Who other) {
            return toString().compareTo(other.toString());
        }
    }

    private Clients() {}

    /** Connections that have only asked for the options of the protocol, as checks of a port do, are not told. */
    static List<Map<String, Object>> connected() {
        Map<Who, Integer> connections = new TreeMap<>();
        for (ConnectedClient client : ClientMetrics.instance.allConnectedClients()) {
            if (client.stage() == ConnectionStage.READY) {
                connections.merge(who(client), 1, Integer::sum);
            }
        }
        List<Map<String, Object>> told = new ArrayList<>();
        connections.forEach((who, count) -> {
            if (told.size() < MOST) {
                Map<String, Object> client = new LinkedHashMap<>();
                client.put("address", who.address);
                client.put("user", who.user);
                client.put("driver", who.driver);
                client.put("connections", count);
                told.add(client);
            }
        });
        return told;
    }

    private static Who who(ConnectedClient client) {
        String driver = client.driverName()
                .map(name -> name + client.driverVersion().map(v -> " " + v).orElse(""))
                .orElse("");
        return new Who(
                client.remoteAddress().getAddress().getHostAddress(),
                client.username().orElse("anonymous"),
                driver);
    }
}
