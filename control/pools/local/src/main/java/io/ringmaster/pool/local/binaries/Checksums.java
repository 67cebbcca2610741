package io.ringmaster.pool.local.binaries;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code SHA256SUMS} in a directory of jars. It is written last, so its presence proves that the directory is
 * complete.
 */
final class Checksums {
    private static final String FILE = "SHA256SUMS";

    private Checksums() {}

    static void write(Path directory) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path jar : jars(directory)) {
            lines.add(sha256(jar) + "  " + jar.getFileName() + "  " + Files.size(jar));
        }
        Files.write(directory.resolve(FILE), lines);
    }

    /** Whether every jar has its size. The contents were verified by the fetch. */
    static boolean hold(Path directory) {
        try {
            List<String> lines = Files.readAllLines(directory.resolve(FILE));
            for (String line : lines) {
                String[] words = line.split(" {2}", -1);
                if (words.length != 3 || Files.size(directory.resolve(words[1])) != Long.parseLong(words[2])) {
                    return false;
                }
            }
            return !lines.isEmpty() && jars(directory).size() == lines.size();
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }

    private static List<Path> jars(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(p -> p.toString().endsWith(".jar")).sorted().toList();
        }
    }

    static String sha256(Path file) throws IOException {
        MessageDigest digest = digest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    static String sha256(String text) {
        return HexFormat.of().formatHex(digest().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
