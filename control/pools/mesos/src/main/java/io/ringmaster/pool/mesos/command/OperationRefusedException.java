package io.ringmaster.pool.mesos.command;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;

/** A command cannot be carried out, and trying again changes nothing. */
final class OperationRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    OperationRefusedException(String message) {
        super(message);
    }

    Problem problem() {
        return Problem.of(ErrorCode.POOL_UNAVAILABLE, String.valueOf(getMessage()));
    }
}
