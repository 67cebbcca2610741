package io.ringmaster.backup.repository;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.ringmaster.model.request.Clocks;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/** The id of a backup: the second in UTC at which it was requested, and four hex digits; ids sort by that time. */
public record BackupId(String value) implements Comparable<BackupId> {
    private static final Pattern FORM = Pattern.compile("\\d{8}T\\d{6}Z-[0-9a-f]{4}");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

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
        return new BackupId(TIME.format(time) + String.format("-%04x", seed & 0xffff));
    }

    public Instant time() {
        return time(value);
    }

    /** Whether a clock was wrong when it was requested, or is wrong now. */
    public boolean isOfFuture(Instant now) {
        return Clocks.isOfFuture(time(), now);
    }

    private static Instant time(String value) {
        try {
            return TIME.parse(value.substring(0, value.indexOf('-')), Instant::from);
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
