package io.ringmaster.backup.collect;

import java.io.IOException;

/** A collection may not run; the message says why, and nothing that a backup names was deleted. */
public final class CollectException extends IOException {
    private static final long serialVersionUID = 1L;

    public CollectException(String message) {
        super(message);
    }

    public CollectException(String message, Throwable cause) {
        super(message, cause);
    }
}
