package io.ringmaster.backup.store;

import io.ringmaster.backup.location.Location;
import io.ringmaster.backup.location.LocationDirectory;
import io.ringmaster.backup.location.LocationException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/** Locations of S3 stores, from files as users write them. */
final class TestLocations {
    /** Short, so that tests of stalls are. */
    static final S3Times IMPATIENT =
            new S3Times(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(1), Long.MAX_VALUE);

    private TestLocations() {}

    static Location location(Path directory, URI endpoint, String bucketAndPrefix, String key, String secret)
            throws IOException, LocationException {
        Files.writeString(
                directory.resolve("main.yaml"),
                "url: s3://" + bucketAndPrefix + "\nendpoint: " + endpoint + "\ncredentials: file:main.key\n");
        writeKey(directory, key, secret);
        return new LocationDirectory(directory).location("main");
    }

    static void writeKey(Path directory, String key, String secret) throws IOException {
        Path file = directory.resolve("main.key");
        Files.writeString(file, "access_key_id: " + key + "\nsecret_access_key: " + secret + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
