package io.ringmaster.wire.api;

import org.jspecify.annotations.Nullable;

/**
 * A location to be added. Secrets do not travel: the credentials are a reference to where the server finds them.
 *
 * @param url {@code file:///DIRECTORY} or {@code s3://BUCKET/PREFIX}
 * @param endpoint the URL of an S3 store that is not AWS
 * @param region of AWS
 * @param credentials {@code file:NAME}, a file in the directory of locations; {@code env:PREFIX}; {@code machine}
 */
public record LocationAsk(
        String url, @Nullable String endpoint, @Nullable String region, @Nullable String credentials) {}
