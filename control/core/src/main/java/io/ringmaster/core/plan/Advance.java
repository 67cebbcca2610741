package io.ringmaster.core.plan;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.Change;
import java.util.List;

/**
 * The result of one evaluation of a plan. {@code changes} and the plan are persisted together; the commands are
 * sent after that.
 *
 * @param plan the plan as it is now; equal to the former one when nothing happened
 */
public record Advance(Plan plan, List<Change> changes, List<Command> commands) {
    public Advance {
        changes = List.copyOf(changes);
        commands = List.copyOf(commands);
    }
}
