package io.ringmaster.executor.companion;

import java.io.IOException;

/**
 * The companion did not answer in time, or its answer cannot be used. That says something about the daemon, which may
 * be busy, hang or start; never that the executor has failed.
 */
public final class NoAnswerException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean refused;

    private NoAnswerException(String message, boolean refused) {
        super(message);
        this.refused = refused;
    }

    NoAnswerException(String message, IOException cause) {
        super(message, cause);
        this.refused = false;
    }

    static NoAnswerException useless(String message) {
        return new NoAnswerException(message, true);
    }

    /** Whether somebody answered, so that the message says more than that nothing listens yet. */
    public boolean hasAnswer() {
        return refused;
    }
}
