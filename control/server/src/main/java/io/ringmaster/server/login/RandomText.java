package io.ringmaster.server.login;

import java.security.SecureRandom;
import java.util.Base64;

/** Secrets that fit into a URL. */
final class RandomText {
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomText() {}

    static String ofBytes(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
