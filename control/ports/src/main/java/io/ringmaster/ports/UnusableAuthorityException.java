package io.ringmaster.ports;

import io.ringmaster.model.authority.AuthorityName;
import org.jspecify.annotations.Nullable;

/** A certificate authority cannot issue certificates here. The message names it and the reason. */
public final class UnusableAuthorityException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnusableAuthorityException(AuthorityName authority, String reason, @Nullable Throwable cause) {
        super("authority '" + authority + "': " + reason, cause);
    }
}
