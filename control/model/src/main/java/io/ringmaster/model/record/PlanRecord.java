package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;

/** A plan, running or over. */
public record PlanRecord(Plan plan) implements StoredRecord {

    @Override
    public RecordKey key() {
        return new RecordKey.OfPlan(plan.id());
    }

    @Override
    public ClusterName cluster() {
        return plan.cluster();
    }

    @Override
    public void accept(Handler handler) {
        handler.plan(this);
    }
}
