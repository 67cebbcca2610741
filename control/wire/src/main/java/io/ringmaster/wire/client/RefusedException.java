package io.ringmaster.wire.client;

import io.ringmaster.model.error.Problem;
import java.util.List;

/** The server refused the request. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient List<Problem> problems;

    /** @param problems at least one */
    public RefusedException(int status, List<Problem> problems) {
        super(problems.get(0).line());
        this.status = status;
        this.problems = List.copyOf(problems);
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** All reasons, such as every invalid field of a spec. */
    public List<Problem> problems() {
        return problems;
    }

    /** The first reason. */
    public Problem problem() {
        return problems.get(0);
    }
}
