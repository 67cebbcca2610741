package io.ringmaster.pool.kubernetes.command;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;

/** Kubernetes or the pool refuses a command. */
final class RefusedException extends Exception {
    private final transient Problem problem;

    RefusedException(Problem problem) {
        super(problem.message());
        this.problem = problem;
    }

    static RefusedException of(String message) {
        return new RefusedException(Problem.of(ErrorCode.POOL_UNAVAILABLE, message));
    }

    Problem problem() {
        return problem;
    }
}
