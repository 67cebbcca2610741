package io.ringmaster.server.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Opens sessions by a code or by the API token. After five wrong tokens within a second every token is refused, also
 * the right one; otherwise the limit would not slow down a guesser. Nobody guesses 128 random bits, so that codes have
 * no limit: a stranger cannot keep others from using a link.
 */
public final class LoginDesk {
    private static final int WRONG_TRIES = 5;
    private static final Duration WRONG_PERIOD = Duration.ofSeconds(1);

    private final byte[] token;
    private final LoginCodes codes;
    private final SessionSigner signer;
    private final Deque<Instant> wrong = new ArrayDeque<>();

    /** Too many wrong tries. */
    public static final class TooManyTriesException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    public LoginDesk(String token, LoginCodes codes, SessionSigner signer) {
        this.token = token.getBytes(UTF_8);
        this.codes = codes;
        this.signer = signer;
    }

    /** @return empty if the code is wrong, expired or used */
    public synchronized Optional<SessionSigner.Issued> byCode(String code, Instant now) {
        return codes.redeem(code, now).map(name -> signer.issue(name, now));
    }

    /**
     * @param who a valid {@link UserName}
     * @return empty if the token is wrong
     */
    public synchronized Optional<SessionSigner.Issued> byToken(String given, String who, Instant now)
            throws TooManyTriesException {
        limit(now);
        if (!MessageDigest.isEqual(token, given.strip().getBytes(UTF_8))) {
            wrong.add(now);
            return Optional.empty();
        }
        return Optional.of(signer.issue(who, now));
    }

    private void limit(Instant now) throws TooManyTriesException {
        wrong.removeIf(at -> !now.isBefore(at.plus(WRONG_PERIOD)));
        if (wrong.size() >= WRONG_TRIES) {
            throw new TooManyTriesException();
        }
    }
}
