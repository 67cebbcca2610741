package io.ringmaster.cli.session;

import org.jspecify.annotations.Nullable;

/** A command cannot go on. Carries what the user is told: the cause, and the next command to try. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;
    private final @Nullable String nextStep;

    public Failure(ExitCode code, String cause, @Nullable String nextStep) {
        super(cause);
        this.code = code;
        this.nextStep = nextStep;
    }

    public ExitCode code() {
        return code;
    }

    /** What to try, or null where nothing can be advised. */
    public @Nullable String nextStep() {
        return nextStep;
    }
}
