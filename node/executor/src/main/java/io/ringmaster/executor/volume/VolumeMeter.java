package io.ringmaster.executor.volume;

import io.ringmaster.executor.log.Log;
import io.ringmaster.model.node.VolumeUse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Measures the volume of the node at once and then about once a minute, on a thread of its own. */
public final class VolumeMeter implements Runnable {
    private static final Duration PAUSE = Duration.ofMinutes(1);

    /** Each report of a node costs its server a decision: figures that changed by less stay as they are. */
    private static final long NOTABLE_BYTES = 1L << 20;

    private final Path volume;
    private volatile @Nullable VolumeUse last;
    private @Nullable String failure;

    public VolumeMeter(Path volume) {
        this.volume = volume;
    }

    /** The thread ends with the process. */
    public void start() {
        Thread thread = new Thread(this, "volume");
        thread.setDaemon(true);
        thread.start();
    }

    /** The last figures; null before the first, and after a failure. */
    public @Nullable VolumeUse last() {
        return last;
    }

    @Override
    public void run() {
        try {
            while (true) {
                measure();
                Thread.sleep(PAUSE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void measure() {
        try {
            last = notable(last, VolumeWalk.measure(volume));
            failure = null;
        } catch (IOException | RuntimeException | OutOfMemoryError e) { // of hundreds of thousands of linked files
            last = null;
            String text = e.toString();
            if (!text.equals(failure)) {
                Log.info("cannot measure the volume: " + text);
            }
            failure = text;
        }
    }

    /** The new figures, or those before if no one of them changed much. */
    static VolumeUse notable(@Nullable VolumeUse before, VolumeUse use) {
        return before == null || differs(before, use) ? use : before;
    }

    /** What others write to the file system counts from a hundredth of it on. */
    private static boolean differs(VolumeUse one, VolumeUse other) {
        long shared = Math.max(NOTABLE_BYTES, one.totalBytes() / 100);
        return differs(one.usedBytes(), other.usedBytes(), NOTABLE_BYTES)
                || differs(one.snapshotBytes(), other.snapshotBytes(), NOTABLE_BYTES)
                || differs(one.totalBytes(), other.totalBytes(), shared)
                || differs(one.usableBytes(), other.usableBytes(), shared);
    }

    private static boolean differs(long one, long other, long notable) {
        return Math.abs(one - other) >= notable;
    }
}
