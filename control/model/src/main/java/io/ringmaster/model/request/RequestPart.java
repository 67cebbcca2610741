package io.ringmaster.model.request;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import java.time.Instant;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a request in one datacenter.
 *
 * @param plan the plan that carries it out there, or null when there is none
 * @param since when it entered this state
 * @param reason why it is in this state, for people
 * @param repairs whether its plan has done what was requested, and has yet to repair the ranges that moved; no state of
 *     its own, which servers of an older release could not read
 * @param overIn the other datacenters that have reported the request as over, whatever this one does with it: one of
 *     them whose store loses the request learns from it that the request must not run there again
 */
public record RequestPart(
        State state, @Nullable PlanId plan, Instant since, String reason, boolean repairs, Set<DatacenterName> overIn) {
    public RequestPart {
        // servers of an older release report none
        overIn = overIn == null ? Set.of() : Collections.unmodifiableSet(new TreeSet<>(overIn));
    }

    public RequestPart(State state, @Nullable PlanId plan, Instant since, String reason) {
        this(state, plan, since, reason, false, Set.of());
    }

    /** The same part once another datacenter has reported the request as over. */
    public RequestPart overIn(DatacenterName datacenter) {
        Set<DatacenterName> all = new TreeSet<>(overIn);
        all.add(datacenter);
        return new RequestPart(state, plan, since, reason, repairs, all);
    }

    public enum State {
        /** Not planned yet. */
        WAITING,
        /** Its plan waits for the operation lock, runs, is paused or has failed. */
        PLANNED,
        DONE,
        /** Its plan was aborted or superseded. */
        ENDED,
        /** The datacenter cannot plan it. */
        REFUSED,
        /** It names no node of the datacenter. */
        NOT_CONCERNED;

        public boolean isOver() {
            return this != WAITING && this != PLANNED;
        }
    }
}
