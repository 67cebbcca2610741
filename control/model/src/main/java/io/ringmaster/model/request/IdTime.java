package io.ringmaster.model.request;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The second in UTC that the id of a backup starts with, such as {@code 20261124T040000Z}: ids sort by it. */
public final class IdTime {
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final int LENGTH = 16;

    private IdTime() {}

    public static String write(Instant time) {
        return FORM.format(time);
    }

    /** @throws DateTimeException if the id starts with something else */
    public static Instant of(String id) {
        return FORM.parse(id.substring(0, Math.min(LENGTH, id.length())), Instant::from);
    }
}
