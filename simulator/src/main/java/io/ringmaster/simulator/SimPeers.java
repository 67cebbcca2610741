package io.ringmaster.simulator;

import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Peers;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A server's exchange with the other datacenters: its last report to each of them every second, and at once when it changes. */
final class SimPeers implements Peers {
    private static final int EXCHANGE_MILLIS = 1000;
    private static final int SILENT_MILLIS = 4000;

    private final SimServer server;
    private final World world;
    private final Map<DatacenterName, Long> heardMillis = new TreeMap<>();
    private FactSink facts = fact -> {};
    private @Nullable DatacenterReport own;

    SimPeers(SimServer server) {
        this.server = server;
        this.world = server.world();
    }

    @Override
    public void start(FactSink sink) {
        facts = sink;
        known().forEach(d -> heardMillis.put(d, world.timeline.nowMillis()));
        exchange();
    }

    private void exchange() {
        if (server.alive()) {
            tell();
            heardMillis.forEach((peer, at) -> {
                if (world.timeline.nowMillis() - at > SILENT_MILLIS) {
                    Fact silent = new Fact.PeerSilent(peer, "no answer");
                    world.timeline.in(1, () -> facts.accept(silent));
                }
            });
            world.timeline.in(EXCHANGE_MILLIS, this::exchange);
        }
    }

    private void tell() {
        DatacenterReport report = own;
        if (report != null) {
            known().forEach(peer -> Messages.sendOrLose(world, 5, 80, () -> {
                if (!world.cut()) {
                    world.datacenter(peer).hear(report);
                }
            }));
        }
    }

    void hear(DatacenterReport report) {
        heardMillis.put(report.datacenter(), world.timeline.nowMillis());
        facts.accept(new Fact.PeerReported(report));
    }

    @Override
    public Set<DatacenterName> known() {
        return World.DATACENTERS.stream()
                .filter(d -> !d.equals(server.datacenter().name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void publish(DatacenterReport report) {
        server.calls("publish");
        if (!report.equals(own)) {
            own = report;
            tell();
        }
    }

    @Override
    public void close() {}
}
