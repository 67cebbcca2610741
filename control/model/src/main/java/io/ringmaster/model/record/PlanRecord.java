package io.ringmaster.model.record;

import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;

/** A plan, running or over. */
public record PlanRecord(Plan plan) implements StoredRecord {
    public static String key(PlanId id) {
        return "plans/" + id;
    }

    @Override
    public String key() {
        return key(plan.id());
    }
}
