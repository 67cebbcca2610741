package io.ringmaster.controller;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.FakeClock;
import io.ringmaster.ports.IntroductionsContract;
import io.ringmaster.ports.Peers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The exchange of {@link FakeFleet}, without controllers that lead. */
class FakePeersTest extends IntroductionsContract {
    private final FakeClock clock = new FakeClock();
    private final Map<DatacenterName, FakeDatacenter> datacenters = new TreeMap<>();

    @Override
    protected Peers open(DatacenterName here, Set<DatacenterName> configured) {
        configured.forEach(this::datacenter);
        FakeDatacenter datacenter = datacenter(here);
        datacenter.published = null;
        datacenter.reachable = true;
        datacenter.known.addAll(configured);
        return datacenter.peers;
    }

    @Override
    protected void stop(DatacenterName datacenter) {
        datacenter(datacenter).reachable = false;
    }

    @Override
    protected void pass() {
        clock.advanceMs(1000);
        datacenters.values().forEach(d -> d.deliver(List.of()));
        FakeFleet.exchangeReports(datacenters.values());
    }

    private FakeDatacenter datacenter(DatacenterName name) {
        return datacenters.computeIfAbsent(name, n -> {
            FakeDatacenter datacenter = new FakeDatacenter(n, List.of(), clock);
            datacenter.reachable = false;
            return datacenter;
        });
    }
}
