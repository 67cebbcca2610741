package io.ringmaster.model.request;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RequestId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An operation that somebody asked for. It never changes, and travels to the other datacenters as a spec does.
 *
 * @param incarnation of the cluster that was meant, see {@code SpecRecord}
 * @param operation its name in the catalogue of operations
 * @param lockScope of the operation, kept here so that all servers judge alike
 * @param params as the user gave them
 * @param who asked
 * @param why in the user's words, or empty
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
        Instant at) {
    public Request {
        params = Ordered.copy(params);
    }

    /** For messages: {@code restart dc1-r7 (asked by alice)}. */
    public String title() {
        return operation + " " + id + " (asked by " + who + ")";
    }
}
