package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps out the commands of former leaders. The highest epoch is in the file {@code epoch} of the state directory
 * before the first command of this epoch is carried out, so that a restarted server keeps them out too.
 */
final class EpochFence {
    private static final Logger LOG = LoggerFactory.getLogger(EpochFence.class);

    private final Path file;
    private final AtomicLong taken;
    private long stored;

    /** @throws IOException the file cannot be read; the message says what to do */
    EpochFence(Path stateDirectory) throws IOException {
        file = stateDirectory.resolve("epoch");
        stored = read(file);
        taken = new AtomicLong(stored);
    }

    private static long read(Path file) throws IOException {
        try {
            return Long.parseLong(Files.readString(file).trim());
        } catch (NoSuchFileException e) {
            return 0;
        } catch (NumberFormatException e) {
            throw new IOException(file + " holds no number; delete it if no other server of this datacenter runs", e);
        }
    }

    /** Whether a command of this epoch may be carried out. Does no I/O. */
    boolean takes(long epoch, Object command) {
        long highest = taken.accumulateAndGet(epoch, Math::max);
        if (epoch < highest) {
            LOG.warn(
                    "refuses {} of the former leader with epoch {}: {} is known from {}",
                    command,
                    epoch,
                    highest,
                    file);
        }
        return epoch == highest;
    }

    /** Makes the epoch durable. */
    synchronized void store(long epoch) throws IOException {
        if (epoch > stored) {
            DurableFiles.write(file, Long.toString(epoch));
            stored = epoch;
        }
    }

    /** The store of this datacenter is another one, which counts its epochs from the start. */
    synchronized void forget() throws IOException {
        DurableFiles.delete(file);
        stored = 0;
        taken.set(0);
    }
}
