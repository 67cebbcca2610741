package io.ringmaster.playground;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The epoch of the present leader, for commands that the controller has not sent. */
final class LastEpoch {
    private final Path file;
    private long taken;

    LastEpoch(Path stateDirectory) {
        file = stateDirectory.resolve("epoch");
    }

    /** Remembers the epoch of a command. */
    synchronized void takes(long epoch) {
        taken = Math.max(taken, epoch);
    }

    /** The highest epoch of any command; before the first, the one that the local pool has on disk. */
    synchronized long get() {
        try {
            return taken > 0 || !Files.exists(file)
                    ? taken
                    : Long.parseLong(Files.readString(file).trim());
        } catch (IOException | NumberFormatException e) {
            return taken;
        }
    }
}
