package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps out the commands of former leaders. The highest epoch is in the file {@code epoch} of the state directory
 * before the first command of this epoch is carried out, so that a restarted server keeps them out too.
 *
 * <p>A store that was set back to a backup counts from a lower epoch than the file holds. The pool cannot tell its
 * leader from a former one, so a person has to: the file is deleted to let this leader through.
 */
final class EpochFence {
    private static final Logger LOG = LoggerFactory.getLogger(EpochFence.class);
    private static final long REPORT_EVERY_NS = 10_000_000_000L;

    private final Path file;
    private final Consumer<String> setBack;
    private final LongSupplier clock;
    private final Object taking = new Object();
    /** Of the file when it was read, while no command was taken yet. */
    private long fromFile;

    private long highest;
    private OptionalLong lastReport = OptionalLong.empty();
    /** Of the file. */
    private long stored;

    /**
     * @param setBack receives for people that the store was set back, at most each 10 s
     * @throws IOException the file cannot be read; the message says what to do
     */
    EpochFence(Path stateDirectory, Consumer<String> setBack) throws IOException {
        this(stateDirectory, setBack, System::nanoTime);
    }

    EpochFence(Path stateDirectory, Consumer<String> setBack, LongSupplier clock) throws IOException {
        file = stateDirectory.resolve("epoch");
        this.setBack = setBack;
        this.clock = clock;
        stored = read(file);
        fromFile = stored;
        highest = stored;
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

    /** Whether a command of this epoch may be carried out. Does no I/O, but for a look whether the file is there. */
    boolean takes(long epoch, Object command) {
        String report;
        synchronized (taking) {
            if (epoch < highest && highest == fromFile && !Files.exists(file)) {
                LOG.warn("{} was deleted: lets the leader with epoch {} through", file, epoch);
                highest = 0;
                fromFile = 0;
            }
            if (epoch >= highest) {
                highest = epoch;
                fromFile = 0;
                return true;
            }
            report = highest == fromFile && isReportDue() ? storeSetBack(epoch) : "";
            LOG.warn(
                    "refuses {} of the former leader with epoch {}: {} is known from {}",
                    command,
                    epoch,
                    highest,
                    file);
        }
        if (!report.isEmpty()) {
            LOG.error(report);
            setBack.accept(report);
        }
        return false;
    }

    private boolean isReportDue() {
        long now = clock.getAsLong();
        if (lastReport.isPresent() && now - lastReport.getAsLong() < REPORT_EVERY_NS) {
            return false;
        }
        lastReport = OptionalLong.of(now);
        return true;
    }

    private String storeSetBack(long epoch) {
        return "the store was set back: the epoch of the leader is " + epoch + ", but " + file + " holds " + highest
                + " of an earlier one, so that its commands are refused; if no other server of this datacenter runs,"
                + " delete this file to let this leader through";
    }

    /** Makes the epoch durable. */
    synchronized void store(long epoch) throws IOException {
        if (epoch > stored || !Files.exists(file)) {
            DurableFiles.write(file, Long.toString(epoch));
            stored = epoch;
        }
    }

    /** The store of this datacenter is another one, which counts its epochs from the start. */
    synchronized void forget() throws IOException {
        DurableFiles.delete(file);
        stored = 0;
        synchronized (taking) {
            highest = 0;
            fromFile = 0;
        }
    }
}
