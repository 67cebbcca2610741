package io.ringmaster.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The slice in which the kernel hands a group's quota of processor time to each processor. With its usual 5 ms, a
 * quota of 2.5 ms a period is spent by one processor, and threads on the others wait. The former value stands in a
 * file until it is restored, so that a killed run does not leave it changed.
 *
 * @see <a href="https://docs.kernel.org/scheduler/sched-bwc.html">CFS bandwidth control</a>
 */
public final class BandwidthSlice implements AutoCloseable {
    private static final Path SETTING = Path.of("/proc/sys/kernel/sched_cfs_bandwidth_slice_us");
    private static final String FORMER = "bandwidth-slice-us";
    private static final int SHORT_US = 500;

    private final Path setting;
    private final Path folder;

    private BandwidthSlice(Path setting, Path folder) {
        this.setting = setting;
        this.folder = folder;
    }

    /**
     * Shortens the slice to 0.5 ms, until it is closed. A kernel that does not let it be set keeps its own.
     *
     * @param folder where the former value is kept
     */
    public static BandwidthSlice shortened(Path folder) throws IOException {
        return shortened(SETTING, folder);
    }

    static BandwidthSlice shortened(Path setting, Path folder) throws IOException {
        if (Files.isWritable(setting)) {
            Files.writeString(folder.resolve(FORMER), read(setting));
            Files.writeString(setting, Integer.toString(SHORT_US));
        }
        return new BandwidthSlice(setting, folder);
    }

    /** The slice that is set, in microseconds; empty: this kernel has no such setting. */
    public Optional<Integer> microseconds() throws IOException {
        return Files.isReadable(setting) ? Optional.of(Integer.valueOf(read(setting))) : Optional.empty();
    }

    /** In one read: what {@link Files#readString} reads, byte by byte, ends after the first digit of such a file. */
    static String read(Path setting) throws IOException {
        return Files.readAllLines(setting).get(0);
    }

    /**
     * Restores what killed runs have left.
     *
     * @param all the folder of the runs' folders
     */
    public static void restore(Path all) throws IOException {
        restore(SETTING, all);
    }

    static void restore(Path setting, Path all) throws IOException {
        if (!Files.isDirectory(all)) {
            return;
        }
        try (Stream<Path> runs = Files.list(all)) {
            for (Path run : runs.toList()) {
                new BandwidthSlice(setting, run).close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        Path former = folder.resolve(FORMER);
        if (Files.exists(former)) {
            Files.writeString(setting, Files.readString(former));
            Files.delete(former);
        }
    }

    @Override
    public String toString() {
        return setting.toString();
    }
}
