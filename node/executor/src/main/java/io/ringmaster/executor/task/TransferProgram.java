package io.ringmaster.executor.task;

import io.ringmaster.model.spec.Preset;
import java.nio.file.Path;
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
    private static final String LAST_THEN_EXEC = "echo 1000 > /proc/self/oom_score_adj; exec nice -n 19 \"$@\"";

    /** Its C2 compiler stays on: only that uses the processor's instructions for SHA-256. */
    List<String> command(Preset preset) {
        return List.of(
                "sh",
                "-c",
                LAST_THEN_EXEC,
                "sh",
                java.toString(),
                "-XX:+UseSerialGC",
                "-Xss256k",
                preset == Preset.PRODUCTION ? "-Xmx192m" : "-Xmx96m",
                "-cp",
                jars + "/*",
                MAIN);
    }
}
