package io.ringmaster.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A secret that a test knows.
 *
 * @param name as failures call it
 * @param text in ASCII
 * @param homes the files that are meant to hold it, and folders of such files
 */
record PlantedSecret(String name, String text, List<Path> homes) {
    /** Shorter ones would be found by chance. */
    private static final int LEAST_LENGTH = 20;

    private static final String KEY = "PRIVATE KEY-----";
    /** In a home, files that each hold one secret and nothing else. */
    private static final Pattern SECRET_FILE =
            Pattern.compile("token|playground/[^/]+/(zookeeper/secret|allocations/[^/]+/token|(secrets|passwords)/.*)");

    /** @param file null for what is no file */
    record Place(String name, @Nullable Path file) {}

    PlantedSecret {
        if (text.length() < LEAST_LENGTH) {
            throw new IllegalArgumentException(name + " is too short to be distinguished from other text");
        }
    }

    static PlantedSecret of(String name, String text, Path... homes) {
        return new PlantedSecret(name, text, List.of(homes));
    }

    /** Logs and answers may show an API token without its last part. */
    static PlantedSecret ofToken(String token) {
        return of("an API token", token.substring(token.lastIndexOf('_') + 1));
    }

    /** The secrets that a playground has made: tokens, those of ZooKeeper, passwords and private keys. */
    static List<PlantedSecret> madeIn(Path home) throws IOException {
        List<Path> files = new ArrayList<>();
        TreeWalk.files(home, files::add);
        List<PlantedSecret> secrets = new ArrayList<>();
        for (Path file : files) {
            if (SECRET_FILE.matcher(home.relativize(file).toString()).matches()) {
                secrets.add(of(
                        "the secret of " + file, Files.readAllLines(file).get(0).strip(), file));
            } else if (file.toString().endsWith(".pem")) {
                secrets.addAll(keys(file, files));
            }
        }
        return secrets;
    }

    /**
     * Each line of a private key. A key may be in several PEM files of one folder, as that of a node, which has a
     * certificate for nodes and another one for clients.
     */
    private static List<PlantedSecret> keys(Path pem, List<Path> files) throws IOException {
        List<Path> homes = files.stream()
                .filter(f -> Objects.equals(f.getParent(), pem.getParent())
                        && f.toString().endsWith(".pem"))
                .toList();
        return keyLines(pem).stream()
                .map(line -> new PlantedSecret("the private key of " + pem, line, homes))
                .toList();
    }

    private static List<String> keyLines(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(file)) {
            if (line.endsWith(KEY)) {
                inside = line.contains("BEGIN");
            } else if (inside && line.length() >= LEAST_LENGTH) {
                lines.add(line);
            }
        }
        return lines;
    }

    boolean isAt(byte[] all, int at, int end) {
        if (at + text.length() > end) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (all[at + i] != (byte) text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    boolean belongsTo(Place place) {
        Path file = place.file();
        return file != null && homes.stream().anyMatch(file::startsWith);
    }
}
