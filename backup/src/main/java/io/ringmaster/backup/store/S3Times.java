package io.ringmaster.backup.store;

import java.time.Duration;

/**
 * How long an S3 store may take.
 *
 * @param connect for a connection
 * @param silence between two reads, which includes the time in which the store makes a put durable
 * @param request for one attempt, without its body
 * @param lowestRate of a body, in bytes per second: no other limit ends a put that stalls
 */
record S3Times(Duration connect, Duration silence, Duration request, long lowestRate) {
    static final S3Times DEFAULT =
            new S3Times(Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofSeconds(30), 256 << 10);

    Duration put(long bytes) {
        return request.plusSeconds(bytes / lowestRate);
    }
}
