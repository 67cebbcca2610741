package io.ringmaster.companion;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hints on this node's disk, by their files: Cassandra takes a file out of its own count before it delivers it, and
 * deletes it when all of it is delivered.
 */
final class HintFiles {
    /**
     * The host id of the target, the time, and the version of the format, as {@code HintsDescriptor} writes them. A
     * file that Cassandra has renamed to {@code .corrupt.hints} is delivered to nobody.
     */
    private static final Pattern NAME =
            Pattern.compile("(\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12})-\\d+-\\d+\\.hints");

    private HintFiles() {}

    /** @return bytes by the host id of their target; a file that is delivered in part counts whole */
    static Map<String, Long> bytes(Path folder) throws IOException {
        Map<String, Long> bytes = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    bytes.merge(name.group(1), size(file), Long::sum);
                }
            }
        }
        return bytes;
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0; // delivered meanwhile
        }
    }
}
