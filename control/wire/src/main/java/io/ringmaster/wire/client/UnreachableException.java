package io.ringmaster.wire.client;

import java.io.IOException;

/** No answer from a server. */
public final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean mayBeTaken;

    public UnreachableException(String what, IOException cause) {
        this(what, cause, false);
    }

    UnreachableException(String what, IOException cause, boolean mayBeTaken) {
        super(what, cause);
        this.mayBeTaken = mayBeTaken;
    }

    /** Whether the request was a change, and may have reached the server. */
    public boolean mayBeTaken() {
        return mayBeTaken;
    }
}
