package io.ringmaster.core.decide;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.request.Request;
import org.jspecify.annotations.Nullable;

/**
 * The result of requesting an operation. In a dry run nothing is stored.
 *
 * @param plan this datacenter's part, or null when the request selects nothing here; the other datacenters draft theirs
 *     when the request reaches them
 */
public record SubmitResult(Request request, @Nullable Plan plan) {}
