package io.ringmaster.core.step;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.plan.NodeChangeKind;
import io.ringmaster.model.record.Change;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a step. The engine persists the changes together with the step's own state, and then sends the
 * commands.
 */
public sealed interface Verdict {

    /**
     * Persist {@code changes}, then send {@code commands}.
     *
     * @param memory replaces what the step remembers
     * @param change how the step changes its node, where this verdict decides it, or null
     */
    record Do(
            List<Change> changes,
            List<Command> commands,
            String reason,
            Map<String, String> memory,
            @Nullable NodeChangeKind change)
            implements Verdict {
        public Do(List<Change> changes, List<Command> commands, String reason, Map<String, String> memory) {
            this(changes, commands, reason, memory, null);
        }

        /** This verdict with other memory. */
        Do remembering(Map<String, String> other) {
            return new Do(changes, commands, reason, other, change);
        }

        /** This verdict, which also decides how the step changes its node. */
        Do changing(NodeChangeKind kind) {
            return new Do(changes, commands, reason, memory, kind);
        }
    }

    /** There is nothing to do now; {@code reason} says what the step waits for. */
    record Wait(String reason) implements Verdict {}

    record Done(List<Change> changes, String summary) implements Verdict {}

    /** The step cannot continue and leaves nothing half done. The plan ends, so that it releases the operation lock. */
    record GivenUp(Problem problem) implements Verdict {}

    /** The step failed. {@code changes} restore the former state where the step can. */
    record Failed(List<Change> changes, Problem problem) implements Verdict {}
}
