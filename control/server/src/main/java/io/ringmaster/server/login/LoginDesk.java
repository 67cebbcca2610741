package io.ringmaster.server.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Opens sessions by a code or by the API token. After five wrong tries within a second every try is refused, also a
 * right one; otherwise the limit would not slow down a guesser.
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
    public synchronized Optional<SessionSigner.Issued> byCode(String code, Instant now) throws TooManyTriesException {
        limit(now);
        return opened(codes.redeem(code, now), now);
    }

    /**
     * @param who a valid {@link UserName}
     * @return empty if the token is wrong
     */
    public synchronized Optional<SessionSigner.Issued> byToken(String given, String who, Instant now)
            throws TooManyTriesException {
        limit(now);
        boolean right = MessageDigest.isEqual(token, given.strip().getBytes(UTF_8));
        return opened(right ? Optional.of(who) : Optional.empty(), now);
    }

    private void limit(Instant now) throws TooManyTriesException {
        wrong.removeIf(at -> !now.isBefore(at.plus(WRONG_PERIOD)));
        if (wrong.size() >= WRONG_TRIES) {
            throw new TooManyTriesException();
        }
    }

    private Optional<SessionSigner.Issued> opened(Optional<String> who, Instant now) {
        if (who.isEmpty()) {
            wrong.add(now);
        }
        return who.map(name -> signer.issue(name, now));
    }
}
