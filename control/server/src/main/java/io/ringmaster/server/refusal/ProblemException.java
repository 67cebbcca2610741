package io.ringmaster.server.refusal;

import io.ringmaster.model.error.Problem;
import java.util.List;

/** Ends a request with a refusal. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient List<Problem> problems;

    public ProblemException(int status, Problem problem) {
        this(status, List.of(problem));
    }

    /** @param problems at least one */
    public ProblemException(int status, List<Problem> problems) {
        super(problems.get(0).line(), null, false, false);
        this.status = status;
        this.problems = List.copyOf(problems);
    }

    /** With the HTTP status of the first problem's code. */
    public static ProblemException of(List<Problem> problems) {
        return new ProblemException(HttpStatuses.of(problems.get(0).code()), problems);
    }

    public static ProblemException of(Problem problem) {
        return of(List.of(problem));
    }

    public int status() {
        return status;
    }

    public List<Problem> problems() {
        return problems;
    }
}
