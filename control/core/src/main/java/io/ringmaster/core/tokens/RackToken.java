package io.ringmaster.core.tokens;

import io.ringmaster.model.name.RackName;

/** The token of a node, and the rack that the node is in. */
public record RackToken(long token, RackName rack) {}
