package io.ringmaster.backup.repository;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash that names blobs, in 64 lowercase hex digits. */
public final class Sha256 {
    private Sha256() {}

    public static String of(byte[] bytes) {
        return text(digest().digest(bytes));
    }

    /** Of a stream to its end. */
    public static String of(InputStream in) throws IOException {
        MessageDigest digest = digest();
        byte[] piece = new byte[1 << 16];
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
            digest.update(piece, 0, read);
        }
        return text(digest.digest());
    }

    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public static String text(byte[] hash) {
        return HexFormat.of().formatHex(hash);
    }
}
