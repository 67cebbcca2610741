package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.request.LockScope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operation that holds the operation lock of a cluster in one datacenter, or waits for it.
 *
 * @param request null for an operation that follows from the spec; such operations go first
 * @param lockScope the operations that it excludes; RING for an operation that follows from the spec
 * @param who the user who asked
 * @param plan null while there is no plan, or while it is not known
 * @param holds whether it holds the lock: everything that its lock scope excludes waits until it ends
 * @param since the start of holding the lock, or of the wait that {@code reason} explains
 */
public record LockState(
        DatacenterName datacenter,
        String operation,
        @Nullable RequestId request,
        LockScope lockScope,
        String who,
        @Nullable PlanId plan,
        boolean holds,
        Instant since,
        String reason) {}
