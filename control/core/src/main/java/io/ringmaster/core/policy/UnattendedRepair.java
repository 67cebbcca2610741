package io.ringmaster.core.policy;

import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.plan.Plans;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import java.time.Instant;
import java.util.Set;

/**
 * The rule for repairs that a schedule or a debt requested: they end with their first failure. Nobody retries them, and
 * a failed plan keeps the operation lock. They are requested again after a pause.
 */
public final class UnattendedRepair {
    private static final Set<String> AUTOMATIC = Set.of(AutomaticReplace.WHO, ScheduledRepair.WHO);

    private UnattendedRepair() {}

    /** The plan, aborted if it is a failed one of an automatic repair. */
    public static Plan ended(Plan plan, Instant now) {
        return plan.status() == PlanStatus.FAILED && is(plan) ? Plans.aborted(plan, now) : plan;
    }

    /** Whether the plan repairs because a node owes it or a schedule says so. */
    public static boolean is(Plan plan) {
        return plan.operation().equals(Repair.NAME) && AUTOMATIC.contains(plan.requestedBy());
    }
}
