package io.ringmaster.model.spec;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.util.List;

/**
 * A cluster's part in one datacenter.
 *
 * @param seeds the number of seeds, which are the nodes with the lowest indexes; 1 to {@code nodes}
 * @param racks the racks to use; empty means all racks of the datacenter
 */
public record DatacenterSpec(DatacenterName name, int nodes, int seeds, List<RackName> racks) {
    public DatacenterSpec {
        racks = List.copyOf(racks);
    }
}
