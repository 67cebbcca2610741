package io.ringmaster.server.login;

import io.ringmaster.model.access.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Opens sessions by a code or by a token. After five wrong tokens within a second every token is refused, also
 * the right one; otherwise the limit would not slow down a guesser. Nobody guesses 128 random bits, so that codes have
 * no limit: a stranger cannot keep others from using a link.
 */
public final class LoginDesk {
    private static final int WRONG_TRIES = 5;
    private static final Duration WRONG_PERIOD = Duration.ofSeconds(1);

    private final BearerCheck bearers;
    private final LoginCodes codes;
    private final SessionSigner signer;
    private final Deque<Instant> wrong = new ArrayDeque<>();

    /** Too many wrong tries. */
    public static final class TooManyTriesException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** Finds the caller of a token. */
    @FunctionalInterface
    public interface BearerCheck {
        /** @param stated the name under which a caller with the content of the token file acts */
        Optional<Principal> of(String token, String stated);
    }

    public LoginDesk(BearerCheck bearers, LoginCodes codes, SessionSigner signer) {
        this.bearers = bearers;
        this.codes = codes;
        this.signer = signer;
    }

    /** @return empty if the code is wrong, expired or used */
    public synchronized Optional<SessionSigner.Issued> byCode(String code, Instant now) {
        return codes.redeem(code, now).map(c -> signer.issue(c.who(), c.credential(), now));
    }

    /**
     * @param who a valid {@link UserName}; only a session by the token file acts under it
     * @return empty if the token is wrong or has ended
     */
    public synchronized Optional<SessionSigner.Issued> byToken(String given, String who, Instant now)
            throws TooManyTriesException {
        limit(now);
        Optional<Principal> caller = bearers.of(given.strip(), who);
        if (caller.isEmpty()) {
            wrong.add(now);
        }
        return caller.map(c -> signer.issue(c.name(), c.credential(), now));
    }

    private void limit(Instant now) throws TooManyTriesException {
        wrong.removeIf(at -> !now.isBefore(at.plus(WRONG_PERIOD)));
        if (wrong.size() >= WRONG_TRIES) {
            throw new TooManyTriesException();
        }
    }
}
