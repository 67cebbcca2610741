package io.ringmaster.model.request;

import io.ringmaster.model.name.PlanId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a request is in one datacenter.
 *
 * @param plan what brings it about there, or null when there is none
 * @param since when it entered this state
 * @param reason why it is in this state, for people
 */
public record RequestPart(State state, @Nullable PlanId plan, Instant since, String reason) {
    public enum State {
        /** No plan could be drafted yet. */
        WAITING,
        /** Its plan waits for its turn, runs, is paused or has failed. */
        PLANNED,
        DONE,
        /** Its plan was aborted or superseded. */
        ENDED,
        /** It cannot be planned there. */
        REFUSED,
        /** Nothing there was asked for. */
        NOT_CONCERNED;

        public boolean isOver() {
            return this != WAITING && this != PLANNED;
        }
    }
}
