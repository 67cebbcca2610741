package io.ringmaster.model.spec;

import org.jspecify.annotations.Nullable;

/**
 * The schedule of automatic backups.
 *
 * @param to the location of the backups, by its name
 * @param everyMinutes the age of the last backup at which the next one is requested, in minutes
 * @param keep which backups are kept, or null to keep all
 * @param bytesPerSecond the most that each node reads or sends; 0 without a limit
 */
public record BackupSchedule(String to, long everyMinutes, @Nullable Keep keep, long bytesPerSecond) {}
