package io.ringmaster.wire.node;

import java.io.IOException;

/** A node is not ready for a request; the message says what is awaited. */
public final class NotYetException extends IOException {
    private static final long serialVersionUID = 1;

    NotYetException(String message) {
        super(message);
    }
}
