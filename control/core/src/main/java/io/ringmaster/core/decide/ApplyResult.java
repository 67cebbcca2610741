package io.ringmaster.core.decide;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.SpecRecord;
import org.jspecify.annotations.Nullable;

/**
 * The result of applying a spec. In a dry run nothing is stored.
 *
 * @param changed false when the cluster is already declared so: then there is no new version and no plan
 * @param plan this datacenter's part; the other datacenters draft theirs when the spec reaches them
 */
public record ApplyResult(SpecRecord spec, boolean changed, @Nullable Plan plan) {}
