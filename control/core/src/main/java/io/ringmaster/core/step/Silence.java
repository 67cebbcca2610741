package io.ringmaster.core.step;

import io.ringmaster.core.view.Sighting;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.name.DatacenterName;
import java.util.Optional;

/** Why nothing can be concluded about a peer datacenter now. */
final class Silence {
    private Silence() {}

    static Optional<String> of(View view, DatacenterName peer) {
        Sighting<DatacenterReport> sighting = view.peers().get(peer);
        if (sighting == null) {
            return Optional.of(
                    view.knownPeers().contains(peer)
                            ? peer + " has not answered yet"
                            : "no server of " + peer + " is known here");
        }
        return sighting.silence() == null ? Optional.empty() : Optional.of(peer + " is silent: " + sighting.silence());
    }
}
