package io.ringmaster.server.read;

import io.ringmaster.controller.ControllerLoop;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.Store;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The current view of this server. The leader's view is complete. A standby's view contains only the records, which
 * suffice for seeds, specs and plans while the leader does not answer.
 */
public final class Views {
    private final DatacenterName datacenter;
    private final List<String> serverUrls;
    private final List<String> seedUrls;
    private final Clock clock;
    private final ControllerLoop loop;
    private final LeadershipState lead;
    private final RecentView recent;

    public Views(
            DatacenterName datacenter,
            List<String> serverUrls,
            List<String> seedUrls,
            Clock clock,
            Store store,
            ControllerLoop loop,
            LeadershipState lead) {
        this.datacenter = datacenter;
        this.serverUrls = List.copyOf(serverUrls);
        this.seedUrls = List.copyOf(seedUrls);
        this.clock = clock;
        this.loop = loop;
        this.lead = lead;
        this.recent = new RecentView(System::nanoTime, () -> ofRecords(store.load()));
    }

    /** @throws io.ringmaster.ports.StoreUnavailableException on a standby whose store does not answer */
    public View now() {
        return lead.leads() ? loop.view() : recent.now();
    }

    private View ofRecords(Collection<StoredRecord> records) {
        var peers = new TreeMap<DatacenterName, Observation<DatacenterReport>>();
        for (StoredRecord record : records) {
            if (record instanceof PeerRecord peer) {
                peers.put(
                        peer.report().datacenter(),
                        new Observation<>(peer.report(), peer.receivedAt(), "this server does not lead yet"));
            }
        }
        var empty = ViewBuilder.builder(View.empty(clock.now(), 0, datacenter, serverUrls, seedUrls)
                        .withPeers(peers))
                .knownPeers(Set.copyOf(peers.keySet()))
                .build();
        return empty.with(records.stream().<Change>map(Change.Put::new).toList());
    }
}
