package io.ringmaster.pool.kubernetes.command;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;

/** Kubernetes or the pool refuses a command. */
final class CommandRefusedException extends Exception {
    private final transient Problem problem;

    CommandRefusedException(Problem problem) {
        super(problem.message());
        this.problem = problem;
    }

    static CommandRefusedException of(String message) {
        return new CommandRefusedException(Problem.of(ErrorCode.POOL_UNAVAILABLE, message));
    }

    Problem problem() {
        return problem;
    }
}
