package io.ringmaster.cli.session;

import org.jspecify.annotations.Nullable;

/** A command cannot continue: the cause and the next step, as the user reads them. */
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

    /** The next step, or null where there is none to advise. */
    public @Nullable String nextStep() {
        return nextStep;
    }
}
