package io.ringmaster.core.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Random text that two decisions with the same view choose alike. */
public final class SeededText {
    private SeededText() {}

    /**
     * Hexadecimal digits from the seed, the time and the datacenter of the view.
     *
     * @param purpose texts for different purposes differ at the same time
     * @param digits an even number up to 64
     */
    public static String hex(View view, String purpose, int digits) {
        String source = view.seed() + " " + view.now() + " " + view.datacenter() + " " + purpose;
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(source.getBytes(UTF_8));
            return HexFormat.of().formatHex(hash, 0, digits / 2);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
