package io.ringmaster.lab.load;

import io.ringmaster.host.FileTree;
import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.machine.ProgramRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of a Maven repository, with the hash that it must have. Maven fetches it, so that the user's mirrors and
 * proxies apply.
 *
 * @param sha256 in hexadecimal digits
 * @param coordinates group:artifact:version:type[:classifier]
 */
record MavenFile(String sha256, String coordinates) {
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})\\s+(\\S+)");

    /**
     * @param programs {@code lab/programs.txt}: a line of hash and coordinates for each file
     * @param artifact group:artifact
     * @throws IOException no line names it
     */
    static MavenFile named(Path programs, String artifact) throws IOException {
        return Files.readAllLines(programs).stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> new MavenFile(line.group(1), line.group(2)))
                .filter(file -> file.coordinates.startsWith(artifact + ":"))
                .findFirst()
                .orElseThrow(() -> new IOException(programs + " does not name " + artifact));
    }

    /**
     * Returns the file of the cache, fetched first where it is missing.
     *
     * @throws IOException Maven has no such file, or its hash is another one
     */
    Path fetch(Bench bench, Path cache) throws IOException, InterruptedException {
        Path folder = cache.resolve(sha256.substring(0, 16));
        if (!Files.isDirectory(folder)) {
            bench.say("fetching " + coordinates);
            download(folder);
        }
        return only(folder);
    }

    private void download(Path folder) throws IOException, InterruptedException {
        Path cache = Files.createDirectories(folder.toAbsolutePath().getParent());
        Path part = Files.createTempDirectory(cache, ".new-");
        try {
            List<String> copy =
                    List.of("mvn", "-B", "-q", COPY, "-Dartifact=" + coordinates, "-DoutputDirectory=" + part);
            ProgramRun.run(copy, cache, Map.of());
            check(only(part));
            Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            FileTree.delete(part);
        }
    }

    private void check(Path file) throws IOException {
        String found = hash(file);
        if (!found.equals(sha256)) {
            throw new IOException(coordinates + " from Maven has the SHA-256 " + found + ", and lab/programs.txt wants "
                    + sha256 + ": it is not used");
        }
    }

    static String hash(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digest = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digest.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static Path only(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst().orElseThrow(() -> new IOException(folder + " is empty: remove it"));
        }
    }
}
