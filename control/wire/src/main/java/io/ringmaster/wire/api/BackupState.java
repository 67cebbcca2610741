package io.ringmaster.wire.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's backups, as its requests show them.
 *
 * @param schedule null when backups are made on request only
 * @param last the last backup that was made, or null
 */
public record BackupState(@Nullable Schedule schedule, @Nullable Last last) {
    /**
     * @param to the location, by its name
     * @param every the interval, such as {@code 6h}
     * @param due when the next backup is requested; null while that is not known
     * @param why the reason for this time, or for not knowing it
     */
    public record Schedule(String to, String every, @Nullable Instant due, String why) {}

    /**
     * @param id of the backup
     * @param location where it is, by its name
     * @param at when it was requested; its data is this old or newer
     */
    public record Last(String id, String location, Instant at) {}
}
