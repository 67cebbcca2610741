package io.ringmaster.wire.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A location of backups as one server knows it. Holds no secret.
 *
 * @param url {@code file:///DIRECTORY} or {@code s3://BUCKET/PREFIX}; null if its file cannot be read
 * @param endpoint the URL of the S3 store; null for a folder and for AWS
 * @param problem what is wrong with its file, or null
 */
public record LocationInfo(String name, @Nullable String url, @Nullable String endpoint, @Nullable String problem) {
    /**
     * The locations of one server.
     *
     * @param directory of their files on the computer of the server, and of the files with their credentials
     */
    public record Directory(String directory, List<LocationInfo> items) {
        public Directory {
            items = List.copyOf(items);
        }
    }

    /** The answer of a location that was asked for its backups. */
    public record Checked(String name, String message) {}
}
