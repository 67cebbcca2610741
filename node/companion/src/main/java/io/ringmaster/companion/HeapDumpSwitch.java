package io.ringmaster.companion;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the JVM write a heap dump when its memory ends only while the volume has room for twice the heap: a dump is
 * about as large as the heap, and the data needs room as well. The executor applies the same rule at each start; room
 * comes and goes while a daemon runs. Where the spec sets the option, it stays as it is.
 */
final class HeapDumpSwitch {
    private static final Logger LOG = LoggerFactory.getLogger(HeapDumpSwitch.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final String OPTION = "HeapDumpOnOutOfMemoryError";
    private static final long MEBIBYTE = 1024 * 1024;

    private final HotSpotDiagnosticMXBean jvm;
    private final long heapBytes;

    HeapDumpSwitch(HotSpotDiagnosticMXBean jvm, long heapBytes) {
        this.jvm = jvm;
        this.heapBytes = heapBytes;
    }

    /** Looks from now on, in a thread of its own. */
    static void start() {
        if (isLeftToUs(ManagementFactory.getRuntimeMXBean().getInputArguments())) {
            HeapDumpSwitch dumps = new HeapDumpSwitch(
                    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class),
                    Runtime.getRuntime().maxMemory());
            new Periodic("ringmaster-heap-dumps", PAUSE, dumps::look).start();
        }
    }

    /** The executor gives the option once; a second one is that of the spec. */
    static boolean isLeftToUs(List<String> arguments) {
        return arguments.stream()
                        .filter(argument -> argument.matches("-XX:[+-]" + OPTION))
                        .count()
                == 1;
    }

    void look() {
        try {
            long usable = Files.getFileStore(folder()).getUsableSpace();
            boolean wanted = usable >= 2 * heapBytes;
            if (wanted != Boolean.parseBoolean(jvm.getVMOption(OPTION).getValue())) {
                jvm.setVMOption(OPTION, String.valueOf(wanted));
                LOG.info(
                        "Heap dumps are {}: a dump may take {} MiB, and {} MiB are free at {}",
                        wanted ? "on" : "off",
                        heapBytes / MEBIBYTE,
                        usable / MEBIBYTE,
                        folder());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the JVM writes dumps. The option names a folder or a file, and without it the working directory. */
    private Path folder() {
        Path path = Path.of(jvm.getVMOption("HeapDumpPath").getValue()).toAbsolutePath();
        return Files.isDirectory(path) ? path : Objects.requireNonNull(path.getParent(), "a file is in a folder");
    }
}
