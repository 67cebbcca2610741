package io.ringmaster.server.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Codes that open one session each. Only in the memory of this server. */
public final class LoginCodes {
    public static final int OPEN_MAX = 16;
    private static final int CODE_BYTES = 16;

    private final List<LoginCode> open = new ArrayList<>();

    /**
     * @param who the name under which its session acts
     * @param credential the one that created it, whose rights its session has
     */
    public record LoginCode(String text, String who, String credential, Instant expiresAt) {}

    /** A new code; empty while {@value #OPEN_MAX} are open. */
    public synchronized Optional<LoginCode> create(String who, String credential, Duration lifetime, Instant now) {
        removeExpired(now);
        if (open.size() >= OPEN_MAX) {
            return Optional.empty();
        }
        var code = new LoginCode(RandomText.ofBytes(CODE_BYTES), who, credential, now.plus(lifetime));
        open.add(code);
        return Optional.of(code);
    }

    /** Uses up a code and returns it; empty for a code that is wrong, expired or used. */
    synchronized Optional<LoginCode> redeem(String text, Instant now) {
        removeExpired(now);
        byte[] given = text.getBytes(UTF_8);
        for (LoginCode code : open) {
            if (MessageDigest.isEqual(code.text().getBytes(UTF_8), given)) {
                open.remove(code);
                return Optional.of(code);
            }
        }
        return Optional.empty();
    }

    private void removeExpired(Instant now) {
        open.removeIf(code -> !now.isBefore(code.expiresAt()));
    }
}
