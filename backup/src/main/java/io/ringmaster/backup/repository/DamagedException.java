package io.ringmaster.backup.repository;

import java.io.IOException;

/** An object of a repository is not what it must be; the message names it. */
public final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    public DamagedException(String message) {
        super(message);
    }

    public DamagedException(String message, Throwable cause) {
        super(message, cause);
    }
}
