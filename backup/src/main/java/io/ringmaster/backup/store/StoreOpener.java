package io.ringmaster.backup.store;

import io.ringmaster.backup.location.Location;
import io.ringmaster.backup.location.Location.S3Endpoint;
import io.ringmaster.backup.location.LocationException;
import java.nio.file.Path;
import java.util.Objects;

/** Opens the store of a location, by the scheme of its URL. Sends no request. */
public final class StoreOpener {
    private StoreOpener() {}

    /** @throws LocationException if credentials or certificates of the location cannot be read */
    public static BackupStore open(Location location) throws LocationException {
        return open(location, S3Times.DEFAULT);
    }

    static BackupStore open(Location location, S3Times times) throws LocationException {
        S3Endpoint s3 = location.s3();
        if (s3 == null) {
            return new FolderStore(Path.of(location.url()));
        }
        String bucket = Objects.requireNonNull(location.url().getRawAuthority(), "a bucket");
        String path = location.url().getRawPath().replaceAll("^/|/$", "");
        String name = location.name() + " (" + location.url() + ")";
        return new S3Store(new S3Connection(name, s3, times), bucket, path.isEmpty() ? "" : path + "/");
    }
}
