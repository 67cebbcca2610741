package io.ringmaster.model.spec;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.util.List;

/**
 * A cluster's part in one datacenter.
 *
 * @param seeds how many of the nodes, the lowest indexes first, are seeds; at least 1, at most {@code nodes}
 * @param racks the racks to use; empty means all that the datacenter has
 */
public record DatacenterSpec(DatacenterName name, int nodes, int seeds, List<RackName> racks) {
    public DatacenterSpec {
        racks = List.copyOf(racks);
    }
}
