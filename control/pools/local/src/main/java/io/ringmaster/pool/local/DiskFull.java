package io.ringmaster.pool.local;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Distinguishes a full disk from other I/O failures. */
final class DiskFull {
    private static final long MIB = 1 << 20;

    private DiskFull() {}

    static IOException of(Path place, long freeBytes) {
        return new FileSystemException(
                place.toString(), null, "No space left on device (" + freeBytes / MIB + " MiB free)");
    }

    /**
     * {@code DISK_FULL} if the file system or the user's quota is full, by the kernel's message; else
     * {@code POOL_UNAVAILABLE}.
     */
    static Problem problem(IOException e, Path place) {
        String message = ThrowableText.of(e);
        boolean full = message.contains("No space left on device") || message.contains("Disk quota exceeded");
        return full
                ? Problem.of(
                        ErrorCode.DISK_FULL, "no space left in " + place, "make room or choose another state_directory")
                : Problem.of(ErrorCode.POOL_UNAVAILABLE, message);
    }
}
