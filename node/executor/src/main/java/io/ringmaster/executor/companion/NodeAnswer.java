package io.ringmaster.executor.companion;

import io.ringmaster.model.node.RingView;
import org.jspecify.annotations.Nullable;

/**
 * What the companion says of its node.
 *
 * @param mode Cassandra's word
 * @param cql whether clients can connect
 * @param ring null before gossip runs
 */
public record NodeAnswer(long pid, String mode, String activity, boolean cql, @Nullable RingView ring) {}
