package io.ringmaster.pool.mesos.command;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;

/** A command cannot be carried out, and trying again changes nothing. */
final class OperationRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    OperationRefusedException(String message) {
        this(ErrorCode.POOL_UNAVAILABLE, message);
    }

    OperationRefusedException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    Problem problem() {
        return Problem.of(code, ThrowableText.of(this));
    }
}
