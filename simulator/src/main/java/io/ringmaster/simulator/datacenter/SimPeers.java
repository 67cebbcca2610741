package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Peers;
import io.ringmaster.simulator.mutation.MutatedReports;
import io.ringmaster.simulator.world.World;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server's exchange with the other datacenters: it sends its last report every second, and at once when it changes.
 */
final class SimPeers implements Peers {
    private static final int EXCHANGE_MILLIS = 1000;
    private static final int SILENT_MILLIS = 4000;

    private final ServerProcess process;
    private final World world;
    private final Exchange exchange;
    private final Set<DatacenterName> others;
    private final Map<DatacenterName, Long> receivedMillis = new TreeMap<>();
    private FactSink facts = fact -> {};
    private @Nullable DatacenterReport own;

    /** Delivers a report to the leader of another datacenter. */
    interface Exchange {
        void deliver(DatacenterName to, DatacenterReport report);
    }

    SimPeers(ServerProcess process, World world, Exchange exchange) {
        this.process = process;
        this.world = world;
        this.exchange = exchange;
        this.others = World.DATACENTERS.stream()
                .filter(d -> !d.equals(process.datacenter()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void start(FactSink sink) {
        facts = sink;
        known().forEach(d -> receivedMillis.put(d, world.nowMillis()));
        exchange();
    }

    private void exchange() {
        if (process.isAlive()) {
            send();
            receivedMillis.forEach((peer, at) -> {
                if (world.nowMillis() - at > SILENT_MILLIS) {
                    Fact silent = new Fact.PeerSilent(peer, "no answer");
                    world.clock().after(1, () -> facts.accept(silent));
                }
            });
            world.clock().after(EXCHANGE_MILLIS, this::exchange);
        }
    }

    private void send() {
        DatacenterReport report = own;
        if (report != null) {
            known().forEach(peer -> world.network().sendOrLose(5, 80, () -> {
                if (!world.isPartitioned() && !world.network().isMute(process.datacenter())) {
                    exchange.deliver(peer, report);
                }
            }));
        }
    }

    void receive(DatacenterReport report) {
        receivedMillis.put(report.datacenter(), world.nowMillis());
        facts.accept(new Fact.PeerReported(MutatedReports.read(world.planted(), report, this::knownRequests)));
    }

    private Set<RequestId> knownRequests() {
        return world.records(process.datacenter(), RequestRecord.class).stream()
                .map(r -> r.request().id())
                .collect(Collectors.toSet());
    }

    @Override
    public Set<DatacenterName> known() {
        return others;
    }

    @Override
    public void publish(DatacenterReport report) {
        process.call("publish");
        if (!report.equals(own)) {
            own = report;
            send();
        }
    }

    @Override
    public void close() {}
}
