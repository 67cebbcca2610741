package io.ringmaster.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.TokenId;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of an API token: {@code rm_<id>_<64 hexadecimal digits>}. The prefix lets scanners of repositories find
 * tokens that were published by mistake.
 */
public record ApiToken(TokenId id, String text) {
    private static final Pattern FORM = Pattern.compile("rm_(" + TokenId.FORM + ")_[0-9a-f]{64}");
    private static final String REDACTED = "rm_$1_***";
    private static final String ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int ID_LENGTH = 8;
    private static final int RANDOM_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A new token with 256 random bits. */
    public static ApiToken create(DatacenterName datacenter) {
        var suffix = new StringBuilder();
        for (int i = 0; i < ID_LENGTH; i++) {
            suffix.append(ID_CHARACTERS.charAt(RANDOM.nextInt(ID_CHARACTERS.length())));
        }
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        var id = new TokenId(datacenter + "-" + suffix);
        return new ApiToken(id, "rm_" + id + "_" + HexFormat.of().formatHex(random));
    }

    /** Empty if the text does not have the form of a token. */
    public static Optional<ApiToken> parse(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches() ? Optional.of(new ApiToken(new TokenId(parts.group(1)), text)) : Optional.empty();
    }

    /** The text without the secrets of tokens in it: a path that somebody built from a token, for example. */
    public static String redacted(String text) {
        return FORM.matcher(text).replaceAll(REDACTED);
    }

    /** The SHA-256 hash of the whole text, in hexadecimal digits. */
    public String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Never the text, because logs and error messages print objects. */
    @Override
    public String toString() {
        return "rm_" + id + "_***";
    }
}
