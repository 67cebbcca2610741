package io.ringmaster.backup.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/** Contents for tests. */
final class Contents {
    private Contents() {}

    static Content of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    static Content of(byte[] bytes) {
        return Content.of(bytes, bytes.length, sha256(bytes));
    }

    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
