package io.ringmaster.model.request;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RequestId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A requested operation. It never changes, and travels to the other datacenters as a spec does.
 *
 * @param incarnation the incarnation of the cluster that the user meant, see {@code SpecRecord}
 * @param operation its name in the catalogue of operations
 * @param lockScope the scope of the operation, stored so that all servers decide alike
 * @param params as the user gave them
 * @param who the user who made the request
 * @param why the reason in the words of the user, or empty
 * @param datacenters those that were part of the cluster when the request was made: one that joins later does not carry
 *     it out. Null in requests of older servers, which each datacenter of that time holds already
 */
public record Request(
        RequestId id,
        ClusterName cluster,
        @Nullable String incarnation,
        String operation,
        LockScope lockScope,
        Map<String, String> params,
        String who,
        String why,
        Instant at,
        @Nullable List<DatacenterName> datacenters) {
    public Request {
        params = Ordered.copy(params);
        datacenters = datacenters == null ? null : List.copyOf(datacenters);
    }

    /** Whether a datacenter was part of the cluster when the request was made. */
    public boolean concerns(DatacenterName datacenter) {
        return datacenters != null && datacenters.contains(datacenter);
    }

    /** For messages: {@code restart dc1-r7 (asked by alice)}. */
    public String title() {
        return operation + " " + id + " (asked by " + who + ")";
    }
}
