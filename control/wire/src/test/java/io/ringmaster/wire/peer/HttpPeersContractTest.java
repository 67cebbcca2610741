package io.ringmaster.wire.peer;

import io.ringmaster.json.Json;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.ports.IntroductionsContract;
import io.ringmaster.ports.Peers;
import io.ringmaster.wire.FakeServer;
import io.ringmaster.wire.FakeServer.Reply;
import io.ringmaster.wire.client.PeerCredentials;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Servers on loopback that exchange reports over HTTP. */
class HttpPeersContractTest extends IntroductionsContract {
    private static final HttpPeers.Timing QUICK =
            new HttpPeers.Timing(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofHours(1));

    private final Map<DatacenterName, Integer> ports = new TreeMap<>();
    private final Map<DatacenterName, FakeServer> servers = new TreeMap<>();

    @Override
    protected Peers open(DatacenterName here, Set<DatacenterName> configured) {
        var peers = new HttpPeers(
                here,
                configured.stream().collect(Collectors.toMap(name -> name, this::urls)),
                new PeerCredentials(new Secret("secret"), null),
                QUICK);
        servers.put(here, new FakeServer(port(here), asked -> answer(peers, asked.body())));
        return peers;
    }

    @Override
    protected void stop(DatacenterName datacenter) {
        servers.remove(datacenter).close();
    }

    private static Reply answer(HttpPeers peers, String body) {
        return peers.receive(Json.parse(body, DatacenterReport.class))
                .map(own -> Reply.json(Json.text(own)))
                .orElse(new Reply(503, "text/plain", "nothing published yet"));
    }

    private List<URI> urls(DatacenterName datacenter) {
        return List.of(URI.create("http://127.0.0.1:" + port(datacenter)));
    }

    /** Free when it is chosen: a restarted server takes the same port again. */
    private int port(DatacenterName datacenter) {
        return ports.computeIfAbsent(datacenter, name -> {
            try (var free = new FakeServer(asked -> Reply.json("{}"))) {
                return free.port();
            }
        });
    }
}
