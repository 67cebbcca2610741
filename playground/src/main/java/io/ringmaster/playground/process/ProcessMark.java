package io.ringmaster.playground.process;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One process for good: ids are given again, but not together with the same start time.
 *
 * @param startTicks field 22 of {@code /proc/<pid>/stat}, see proc(5)
 */
public record ProcessMark(long pid, long startTicks) {
    private static final int FIELDS_BEFORE_STATE = 2;
    private static final int START_TIME = 22;

    /** The process that has this id now. */
    public static Optional<ProcessMark> of(long pid) {
        return stat(pid)
                .map(fields -> new ProcessMark(pid, Long.parseLong(fields[START_TIME - FIELDS_BEFORE_STATE - 1])));
    }

    public static ProcessMark ofThisProcess() {
        return of(ProcessHandle.current().pid()).orElseThrow();
    }

    /** A process that ended and that nobody waited for yet counts as ended. */
    @JsonIgnore
    public boolean isAlive() {
        return stat(pid)
                .filter(fields -> Long.parseLong(fields[START_TIME - FIELDS_BEFORE_STATE - 1]) == startTicks)
                .filter(fields -> !fields[0].equals("Z") && !fields[0].equals("X"))
                .isPresent();
    }

    /** The fields from the state on; the name before may hold spaces and parentheses. */
    private static Optional<String[]> stat(long pid) {
        try {
            String text = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return Optional.of(text.substring(text.lastIndexOf(')') + 2).strip().split(" ", -1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
