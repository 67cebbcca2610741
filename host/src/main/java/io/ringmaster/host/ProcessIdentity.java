package io.ringmaster.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process, distinct from every later process that gets the same pid. See proc(5).
 *
 * @param startTicks the start time in clock ticks since boot: field 22 of {@code /proc/<pid>/stat}
 * @param boot the kernel's boot id, because ticks start again at each boot; null if unknown, then any boot matches
 */
public record ProcessIdentity(long pid, long startTicks, @Nullable String boot) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    /** Indexes of the fields after the process name, which is field 2. */
    private static final int STATE = 0;

    private static final int START_TICKS = 19;

    /**
     * The process that has this pid now; empty if there is none or only a zombie.
     *
     * @throws UncheckedIOException there is one that cannot be read, because this process has no descriptor left, for
     *     example: that it has ended would be wrong, and a second one would be started beside it
     */
    public static Optional<ProcessIdentity> of(long pid) {
        Path file = Path.of("/proc", Long.toString(pid), "stat");
        try {
            String stat = Files.readString(file);
            // The process name in parentheses may hold spaces and parentheses, so fields are counted from its end.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean zombie = fields[STATE].equals("Z") || fields[STATE].equals("X");
            return zombie
                    ? Optional.empty()
                    : Optional.of(new ProcessIdentity(
                            pid,
                            Long.parseLong(fields[START_TICKS]),
                            Files.readString(BOOT_ID).trim()));
        } catch (IOException e) {
            if (Files.exists(file)) { // needs no descriptor; with hidepid, those of other users are not there
                throw new UncheckedIOException("cannot read the process " + pid + ": " + e.getMessage(), e);
            }
            return Optional.empty();
        }
    }

    public static ProcessIdentity ofThisProcess() {
        return of(ProcessHandle.current().pid()).orElseThrow();
    }

    /**
     * Reads a line {@code <pid> <start ticks> <boot id>}; empty if the file is missing or holds anything else. Without
     * the end of the line it was cut short, and may be that of another process.
     */
    public static Optional<ProcessIdentity> read(Path file) throws IOException {
        try {
            String line = Files.readString(file);
            String[] words = line.trim().split(" ", -1);
            return words.length == 3 && line.endsWith("\n")
                    ? Optional.of(new ProcessIdentity(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]))
                    : Optional.empty();
        } catch (NoSuchFileException | CharacterCodingException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** What {@link #read} reads. */
    public String text() {
        return pid + " " + startTicks + " " + boot + "\n";
    }

    /** A zombie counts as ended. */
    public boolean isAlive() {
        return of(pid).filter(now -> now.startTicks == startTicks && (boot == null || boot.equals(now.boot)))
                .isPresent();
    }
}
