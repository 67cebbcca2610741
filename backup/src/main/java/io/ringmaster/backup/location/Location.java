package io.ringmaster.backup.location;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where backups are kept. Holds no secret.
 *
 * @param url {@code file:///DIRECTORY} or {@code s3://BUCKET[/PREFIX]}
 * @param s3 for {@code s3:} alone
 */
public record Location(String name, URI url, @Nullable S3Endpoint s3) {
    /**
     * How an S3 store is reached.
     *
     * @param url null: that of AWS in the region
     * @param caFile certificates (PEM) to trust instead of those of the JDK
     */
    public record S3Endpoint(
            @Nullable URI url, String region, CredentialsReference credentials, @Nullable Path caFile) {}
}
