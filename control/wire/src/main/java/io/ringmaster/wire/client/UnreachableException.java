package io.ringmaster.wire.client;

import java.io.IOException;

/** No answer from a server. The outcome of a change is unknown. */
public final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreachableException(String what, IOException cause) {
        super(what, cause);
    }
}
