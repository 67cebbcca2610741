package io.ringmaster.backup.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A store did not do what it was asked to; the message names the store and the object, and no secret. */
public final class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Why, as far as a client can do something about it. */
    public enum Reason {
        /** The object does not exist. */
        MISSING(false),
        /** No answer, or a cut connection. */
        UNREACHABLE(true),
        /** The store asks for fewer requests. */
        THROTTLED(true),
        /** The credentials are unknown, or may not do this. */
        DENIED(false),
        /** The bucket or the folder does not exist. */
        NO_BUCKET(false),
        /** The clock of this machine differs too much from that of the store. */
        CLOCK(false),
        /** The store has no room. */
        FULL(false),
        /** Fewer bytes came than the object has, or other bytes arrived than were sent. */
        DAMAGED(true),
        /** Any other refusal. */
        REFUSED(false);

        private final boolean passing;

        Reason(boolean passing) {
            this.passing = passing;
        }

        /** Whether another attempt, later, may succeed. */
        public boolean isPassing() {
            return passing;
        }
    }

    private final Reason reason;

    public StoreException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
