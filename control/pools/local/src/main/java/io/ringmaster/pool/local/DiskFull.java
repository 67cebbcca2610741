package io.ringmaster.pool.local;

import io.ringmaster.model.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Tells a full disk from other failures. */
final class DiskFull {
    private static final long MIB = 1 << 20;

    private DiskFull() {}

    static IOException of(Path place, long freeBytes) {
        return new FileSystemException(
                place.toString(), null, "No space left on device (" + freeBytes / MIB + " MiB free)");
    }

    /** One sentence for people, beginning with the error code where the disk is full. */
    static String explain(IOException e, Path place) {
        String message = String.valueOf(e.getMessage());
        boolean full = message.contains("No space left on device") || message.contains("Disk quota exceeded");
        return full
                ? ErrorCode.DISK_FULL + ": no space left in " + place + "; make room or choose another state_directory"
                : message;
    }
}
