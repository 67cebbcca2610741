package io.ringmaster.wire.api;

import org.jspecify.annotations.Nullable;

/**
 * The body of a login: either {@code code}, or {@code token} and {@code who}.
 *
 * @param who the user's name in the audit
 */
public record Login(@Nullable String code, @Nullable String token, @Nullable String who) {}
