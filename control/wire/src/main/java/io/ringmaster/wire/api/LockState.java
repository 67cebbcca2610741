package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.request.LockScope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is at work on a cluster in one datacenter, or waits for its turn there.
 *
 * @param request null for what follows from the spec, which goes first
 * @param lockScope what it needs for itself; of what follows from the spec the ring
 * @param who asked
 * @param plan null while there is none, or it is not known
 * @param holds it has its turn: what its claim excludes waits until it is over
 * @param since it holds it, or waits for what {@code reason} says
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
