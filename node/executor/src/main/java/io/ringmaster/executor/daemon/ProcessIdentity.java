package io.ringmaster.executor.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Identifies a process for good: a later process with the same pid differs in its start time or boot.
 *
 * @param startTicks the start time in clock ticks since boot: field 22 of {@code /proc/<pid>/stat}
 * @param boot the kernel's boot id
 */
public record ProcessIdentity(long pid, long startTicks, String boot) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int STATE = 0;
    private static final int START_TICKS = 19;

    /** The process that has this pid now; empty if there is none or only a zombie. */
    public static Optional<ProcessIdentity> of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
            // the name in parentheses may contain anything, so fields are counted after it
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean over = fields[STATE].equals("Z") || fields[STATE].equals("X");
            return over
                    ? Optional.empty()
                    : Optional.of(new ProcessIdentity(
                            pid,
                            Long.parseLong(fields[START_TICKS]),
                            Files.readString(BOOT_ID).trim()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Reads {@code <pid> <start ticks> <boot id>}; empty if the file is missing or malformed. */
    public static Optional<ProcessIdentity> read(Path file) throws IOException {
        try {
            String[] words = Files.readString(file).trim().split(" ", -1);
            if (words.length != 3) {
                return Optional.empty();
            }
            return Optional.of(new ProcessIdentity(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]));
        } catch (NoSuchFileException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    public boolean isAlive() {
        return of(pid).equals(Optional.of(this));
    }
}
