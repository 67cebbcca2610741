package io.ringmaster.executor.task;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Whether the data of a node has room beside a snapshot, whose links keep all files that compactions replace. The
 * snapshot is refused by the same rule, but an upload may last for days.
 */
final class VolumeRoom {
    private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int SHARE = 20;

    private final Path data;
    private final Predicate<Path> isShort;
    private final LongSupplier nanos;
    private long nextLook;

    /** @param volume of the node */
    VolumeRoom(Path volume) {
        this(volume, VolumeRoom::isShort, System::nanoTime);
    }

    VolumeRoom(Path volume, Predicate<Path> isShort, LongSupplier nanos) {
        this.data = volume.resolve("data");
        this.isShort = isShort;
        this.nanos = nanos;
        this.nextLook = nanos.getAsLong();
    }

    private static boolean isShort(Path directory) {
        File file = directory.toFile();
        return file.getUsableSpace() < file.getTotalSpace() / SHARE;
    }

    /** Why an upload must end now; looks at most once a minute. */
    Optional<String> lack() {
        long now = nanos.getAsLong();
        if (now - nextLook < 0) {
            return Optional.empty();
        }
        nextLook = now + PERIOD_NANOS;
        return isShort.test(data)
                ? Optional.of("less than 5 % of " + data + " is free: the backup gives way, because its snapshot keeps"
                        + " files that compactions replaced -> make room on that node, then run the backup again")
                : Optional.empty();
    }
}
