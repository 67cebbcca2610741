package io.ringmaster.backup.repository;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.ringmaster.model.request.Clocks;
import io.ringmaster.model.request.IdTime;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/** The id of a backup: the second in UTC at which it was requested, and four hex digits; ids sort by that time. */
public record BackupId(String value) implements Comparable<BackupId> {
    private static final Pattern FORM = Pattern.compile("\\d{8}T\\d{6}Z-[0-9a-f]{4}");

    /** @throws IllegalArgumentException if the text has another form */
    public BackupId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("backup '" + value + "' must look like 20261124T040000Z-3f9c");
        }
        time(value);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static BackupId parse(String value) {
        return new BackupId(value);
    }

    /** The id of a backup requested at {@code time}; {@code seed} keeps two of one second apart. */
    public static BackupId of(Instant time, long seed) {
        return new BackupId(IdTime.write(time) + String.format("-%04x", seed & 0xffff));
    }

    public Instant time() {
        return time(value);
    }

    /** Whether a clock was wrong when it was requested, or is wrong now. */
    public boolean isOfFuture(Instant now) {
        return Clocks.isOfFuture(time(), now);
    }

    /** The newest of them by its id. One of the future is it only if all are. */
    public static Optional<BackupId> newest(Collection<BackupId> backups, Instant now) {
        return backups.stream()
                .max(Comparator.comparing((BackupId id) -> !id.isOfFuture(now)).thenComparing(id -> id));
    }

    private static Instant time(String value) {
        try {
            return IdTime.of(value);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("backup '" + value + "' must start with a time", e);
        }
    }

    @Override
    public int compareTo(BackupId other) {
        return value.compareTo(other.value);
    }

    @Override
    @JsonValue
    public String toString() {
        return value;
    }
}
