package io.ringmaster.server.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.model.access.Secret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs and checks sessions. A session has two halves, because a browser sends cookies to every port of a host: the
 * cookie counts only together with the key, which the page keeps in the storage of its own port. No session is stored:
 * the cookie is signed with a key that is derived from the token file, so every server of the fleet accepts it until it
 * expires, the file changes, or the API token that opened it ends, except a server that keeps it among its
 * {@link EndedSessions}.
 */
public final class SessionSigner {
    public static final Duration LIFETIME = Duration.ofHours(12);
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final Pattern COOKIE =
            Pattern.compile("(\\d{1,12})\\.([A-Za-z0-9_-]{43})\\.([a-z0-9-]{1,48})\\.(.{1,64})");

    private final SecretKeySpec signingKey;

    /**
     * @param cookie the half that the browser keeps from scripts
     * @param key the half that the page keeps
     */
    public record Issued(String cookie, String key, LoginSession session) {}

    /** @param token the content of the token file */
    public SessionSigner(Secret token) {
        byte[] derived = mac(new SecretKeySpec(token.reveal().getBytes(UTF_8), ALGORITHM), "ringmaster session 2");
        this.signingKey = new SecretKeySpec(derived, ALGORITHM);
    }

    /**
     * @param who a valid {@link UserName}
     * @param credential see {@link LoginSession}
     */
    public Issued issue(String who, String credential, Instant now) {
        var expiresAt = Instant.ofEpochSecond(now.plus(LIFETIME).getEpochSecond());
        String key = RandomText.ofBytes(KEY_BYTES);
        return issued(key, new LoginSession(base64(sha256(key)), who, credential, expiresAt));
    }

    /** The same session, which counts only with this secret after its key. The page does not know the secret. */
    public Issued bound(Issued issued, String secret) {
        LoginSession session = issued.session();
        return issued(
                issued.key(),
                new LoginSession(
                        base64(sha256(issued.key() + secret)),
                        session.who(),
                        session.credential(),
                        session.expiresAt()));
    }

    private Issued issued(String key, LoginSession session) {
        String end = Long.toString(session.expiresAt().getEpochSecond());
        return new Issued(String.join(".", end, signature(session), session.credential(), session.who()), key, session);
    }

    /** The session of a cookie and a key; empty unless both are there, belong together and have not expired. */
    public Optional<LoginSession> check(@Nullable String cookie, @Nullable String key, Instant now) {
        if (cookie == null || key == null) {
            return Optional.empty();
        }
        Matcher parts = COOKIE.matcher(cookie);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var expiresAt = Instant.ofEpochSecond(Long.parseLong(parts.group(1)));
        var session = new LoginSession(base64(sha256(key)), parts.group(4), parts.group(3), expiresAt);
        byte[] expected = signature(session).getBytes(UTF_8);
        boolean genuine = MessageDigest.isEqual(expected, parts.group(2).getBytes(UTF_8));
        return genuine && !session.hasExpired(now) ? Optional.of(session) : Optional.empty();
    }

    /** Over fields that cannot run into each other: digits, a hash of fixed length, a credential without dots. */
    private String signature(LoginSession session) {
        String fields = session.expiresAt().getEpochSecond() + "." + session.keyHash() + "." + session.credential()
                + "." + session.who();
        return base64(mac(signingKey, fields));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static byte[] mac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
