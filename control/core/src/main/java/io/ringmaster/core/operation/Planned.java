package io.ringmaster.core.operation;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.Change;
import java.util.List;

/** The result of planning an operation. */
public sealed interface Planned {
    /**
     * @param changes stored together with the plan
     * @param notes for the user: the reason for the order, what moves, what cannot be undone
     */
    record Draft(long specVersion, List<Change> changes, List<Phase> phases, List<String> notes) implements Planned {}

    /** The request selects nothing in this datacenter. */
    record NotConcerned(String reason) implements Planned {}

    record Refused(List<Problem> problems) implements Planned {}
}
