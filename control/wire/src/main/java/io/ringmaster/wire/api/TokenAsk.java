package io.ringmaster.wire.api;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;

/**
 * The API token to create.
 *
 * @param name of its holder in the audit
 * @param lifetimeSeconds the time until it expires
 */
public record TokenAsk(String name, Role role, ClusterPattern clusters, long lifetimeSeconds) {}
