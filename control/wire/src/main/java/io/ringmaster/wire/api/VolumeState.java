package io.ringmaster.wire.api;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.KeptVolume;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A volume that no node uses.
 *
 * @param rack of the machine; null while the pool does not offer that
 * @param diskBytes what it takes of the machine's disk
 * @param since null while its node is being replaced
 * @param discardedAt when its destruction was ordered
 * @param reachable whether the pool can reach its machine
 * @param problem why it is not found, or its destruction does not end or was not carried out; else null
 */
public record VolumeState(
        AllocationId id,
        DatacenterName datacenter,
        ClusterName cluster,
        @Nullable NodeId node,
        @Nullable MachineName machine,
        @Nullable RackName rack,
        @Nullable Long diskBytes,
        KeptVolume.Reason reason,
        @Nullable Instant since,
        @Nullable Instant discardedAt,
        boolean reachable,
        @Nullable String problem) {}
