package io.ringmaster.core.decide;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.request.Request;
import org.jspecify.annotations.Nullable;

/**
 * What came of a request. In a dry run nothing is stored and {@code plan} is what would be.
 *
 * @param plan this datacenter's part, or null when nothing here was chosen; the others draft theirs when the request reaches them
 */
public record SubmitResult(Request request, @Nullable Plan plan) {}
