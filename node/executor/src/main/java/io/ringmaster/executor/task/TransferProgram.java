package io.ringmaster.executor.task;

import io.ringmaster.executor.configuration.PresetSetting;
import io.ringmaster.executor.configuration.PresetSetting.Place;
import io.ringmaster.model.spec.Preset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The program that moves the bytes of backups. It has the lowest priority of the node for the processor, and of what
 * runs in the node's memory limit the kernel ends it first.
 *
 * @param java the Java binary
 * @param jars the directory of its jars
 * @param locations the directory of the files that describe the locations of backups; null if the server names none
 */
public record TransferProgram(Path java, Path jars, @Nullable Path locations) {
    private static final String MAIN = "io.ringmaster.transfer.TransferMain";
    /** The first command of a build makes it, see {@code ./ringmaster}. */
    private static final String ARCHIVE = "transfer.jsa";

    /** Most programs run for seconds and would spend half of their processor time on compiling. Hashes come soon. */
    private static final String COMPILE_LATER = "-XX:CompileThresholdScaling=10";

    /**
     * Killed first when memory ends, and a tenth of the processor time of a thread of Cassandra where that is short. A
     * nicer program gets a hundredth, and on a machine that is always busy its backup does not end.
     */
    private static final String LAST_THEN_EXEC = "echo 1000 > /proc/self/oom_score_adj; exec nice -n 10 \"$@\"";

    /**
     * Its C2 compiler stays on: only that uses the processor's instructions for SHA-256. The archive of its classes
     * halves the time of a start. The JVM leaves out one that does not fit, and would say so on the standard output,
     * which has the reports.
     */
    List<String> command(Preset preset) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", LAST_THEN_EXEC, "sh", java.toString()));
        command.addAll(List.of("-XX:+UseSerialGC", "-Xss256k", "-XX:-UsePerfData", COMPILE_LATER));
        command.addAll(PresetSetting.words(Place.TRANSFER, preset));
        command.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr"));
        Path archive = jars.resolveSibling(ARCHIVE);
        if (Files.exists(archive)) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        command.addAll(List.of("-cp", jars + "/*", MAIN));
        return List.copyOf(command);
    }
}
