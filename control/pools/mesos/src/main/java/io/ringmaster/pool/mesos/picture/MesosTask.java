package io.ringmaster.pool.mesos.picture;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.model.name.AllocationId;
import java.util.Optional;
import java.util.Set;

/**
 * A task of an allocation: one run of its executor.
 *
 * @param agent the id of its agent
 * @param claim that it was launched with
 * @param message of its last status, which may be empty
 * @param reason of its last status, such as {@code REASON_AGENT_DRAINING}, which may be empty
 */
public record MesosTask(String id, String agent, Claim claim, State state, String message, String reason) {
    private static final char SEPARATOR = '.';

    /** Where a run is. */
    public enum State {
        TASK_STAGING,
        TASK_STARTING,
        TASK_RUNNING,
        TASK_KILLING,
        TASK_UNREACHABLE,
        TASK_FINISHED,
        TASK_FAILED,
        TASK_KILLED,
        TASK_ERROR,
        TASK_LOST,
        TASK_DROPPED,
        TASK_GONE,
        TASK_GONE_BY_OPERATOR,
        TASK_UNKNOWN;

        private static final Set<State> LIVE =
                Set.of(TASK_STAGING, TASK_STARTING, TASK_RUNNING, TASK_KILLING, TASK_UNREACHABLE);
        private static final Set<State> NEVER_RAN = Set.of(TASK_ERROR, TASK_DROPPED);

        public static State of(String text) {
            try {
                return valueOf(text);
            } catch (IllegalArgumentException e) {
                return TASK_UNKNOWN;
            }
        }

        /** Whether it may still run. */
        public boolean isLive() {
            return LIVE.contains(this);
        }

        /** Whether the master refused the launch, so that the agent never saw it. */
        public boolean neverRan() {
            return NEVER_RAN.contains(this);
        }
    }

    /** A new id for each launch: Mesos refuses the id of a task that runs, under the name of that task. */
    public static String newId(Claim claim, long millis) {
        return claim.allocation().id().value() + SEPARATOR + claim.launched() + SEPARATOR + millis;
    }

    /** The time in its id, which orders the tasks of an allocation. */
    long launchedAt() {
        return Long.parseLong(id.substring(id.lastIndexOf(SEPARATOR) + 1));
    }

    public AllocationId allocation() {
        return claim.allocation().id();
    }

    /** Empty for a task that others launched. */
    static Optional<MesosTask> of(JsonNode task) {
        String id = task.path("task_id").path("value").asText();
        if (!id.matches(".*\\.\\d{1,18}\\.\\d{1,18}")) {
            return Optional.empty();
        }
        JsonNode statuses = task.path("statuses");
        JsonNode last = statuses.path(statuses.size() - 1);
        return MesosResource.label(task.path("labels"), Claim.CLAIM_LABEL)
                .flatMap(Claim::parse)
                .map(claim -> new MesosTask(
                        id,
                        task.path("agent_id").path("value").asText(),
                        claim,
                        State.of(task.path("state").asText()),
                        last.path("message").asText(),
                        last.path("reason").asText()));
    }
}
