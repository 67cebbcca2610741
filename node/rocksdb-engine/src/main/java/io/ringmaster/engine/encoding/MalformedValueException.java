package io.ringmaster.engine.encoding;

import org.jspecify.annotations.Nullable;

/** A stored value does not have the form that {@link OperandFormat} describes. The message has the table and place. */
public final class MalformedValueException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
