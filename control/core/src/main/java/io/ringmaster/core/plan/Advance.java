package io.ringmaster.core.plan;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.Change;
import java.util.List;

/**
 * What one look at a plan brings. {@code changes} and the plan are persisted together; the commands are sent after that.
 *
 * @param plan as it stands now; equal to what it was when nothing happened
 */
public record Advance(Plan plan, List<Change> changes, List<Command> commands) {
    public Advance {
        changes = List.copyOf(changes);
        commands = List.copyOf(commands);
    }
}
