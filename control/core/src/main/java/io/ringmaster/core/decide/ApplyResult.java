package io.ringmaster.core.decide;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.SpecRecord;
import org.jspecify.annotations.Nullable;

/**
 * What came of a spec. In a dry run nothing is stored and {@code plan} is what would be.
 *
 * @param changed false when the cluster is declared so already: then there is no new version and no plan
 * @param plan this datacenter's part; the others draft theirs when the spec reaches them
 */
public record ApplyResult(SpecRecord spec, boolean changed, @Nullable Plan plan) {}
