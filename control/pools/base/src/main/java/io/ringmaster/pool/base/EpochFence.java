package io.ringmaster.pool.base;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses the commands of former leaders. The highest epoch is stored before the first command of this epoch is carried
 * out, so that a restarted server refuses them too.
 *
 * <p>A Ringmaster store that was restored from a backup counts from a lower epoch than the storage holds. The pool
 * cannot distinguish its leader from a former one, so a user must remove the stored epoch to let this leader through.
 */
public final class EpochFence {
    private static final Logger LOG = LoggerFactory.getLogger(EpochFence.class);
    private static final long REPORT_EVERY_NS = 10_000_000_000L;

    private final EpochStorage storage;
    private final Consumer<String> setBack;
    private final LongSupplier nanoClock;
    /** Guards what {@link #accepts} reads, so that it never waits for a write. */
    private final Object accepting = new Object();
    /** The stored epoch when it was read; 0 once a command was accepted. */
    private long fromStorage;

    private long highest;
    private OptionalLong lastReport = OptionalLong.empty();
    /** The epoch in the storage, as far as this fence knows. */
    private long stored;

    /**
     * Reads the stored epoch; blocks as long as the storage does.
     *
     * @param setBack receives the message that the store was set back, at most every 10 s
     * @throws IOException the stored epoch cannot be read; the message says what to do
     */
    public EpochFence(EpochStorage storage, Consumer<String> setBack) throws IOException {
        this(storage, setBack, System::nanoTime);
    }

    /** @param nanoClock replaces {@link System#nanoTime} in tests */
    public EpochFence(EpochStorage storage, Consumer<String> setBack, LongSupplier nanoClock) throws IOException {
        this.storage = storage;
        this.setBack = setBack;
        this.nanoClock = nanoClock;
        stored = storage.read();
        fromStorage = stored;
        highest = stored;
    }

    /**
     * Whether a command of this epoch may be carried out. Does not block: of the storage it asks only {@link
     * EpochStorage#exists}.
     *
     * @param command names the command in the log
     */
    public boolean accepts(long epoch, Object command) {
        String report;
        synchronized (accepting) {
            if (epoch < highest && highest == fromStorage && !storage.exists()) {
                LOG.warn("{} was deleted: lets the leader with epoch {} through", storage.place(), epoch);
                highest = 0;
                fromStorage = 0;
            }
            if (epoch >= highest) {
                highest = epoch;
                fromStorage = 0;
                return true;
            }
            report = highest == fromStorage && isReportDue() ? storeSetBack(epoch) : "";
            LOG.warn(
                    "refuses {} of the former leader with epoch {}: {} is known from {}",
                    command,
                    epoch,
                    highest,
                    storage.place());
        }
        if (!report.isEmpty()) {
            LOG.error(report);
            setBack.accept(report);
        }
        return false;
    }

    private boolean isReportDue() {
        long now = nanoClock.getAsLong();
        if (lastReport.isPresent() && now - lastReport.getAsLong() < REPORT_EVERY_NS) {
            return false;
        }
        lastReport = OptionalLong.of(now);
        return true;
    }

    private String storeSetBack(long epoch) {
        return "the store was set back: the epoch of the leader is " + epoch + ", but " + storage.place() + " holds "
                + highest + " of an earlier one, so that its commands are refused; if no other server of this"
                + " datacenter runs, " + storage.removal() + " to let this leader through";
    }

    /**
     * The storage holds this epoch, by a server that shares it: commands of lower epochs are refused from now on. For a
     * pool that watches its storage. An epoch that is already known changes nothing.
     */
    public void observe(long epoch) {
        synchronized (accepting) {
            highest = Math.max(highest, epoch);
        }
    }

    /** Makes the epoch durable, unless it already is; blocks as long as the storage does. */
    public synchronized void store(long epoch) throws IOException {
        if (epoch > stored || !storage.exists()) {
            storage.write(epoch);
            stored = epoch;
        }
    }

    /** The Ringmaster store of this datacenter is another one, which counts its epochs from the start. */
    public synchronized void forget() throws IOException {
        storage.delete();
        stored = 0;
        synchronized (accepting) {
            highest = 0;
            fromStorage = 0;
        }
    }
}
