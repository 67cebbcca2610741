package io.ringmaster.executor;

import io.ringmaster.executor.archive.ArchiveMaker;
import io.ringmaster.executor.configuration.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Makes the archives that daemons ({@code --cds} of the executor) and executors ({@code -XX:SharedArchiveFile}) start from:
 * {@code --jars <directory> --companion <jar> --java <binary> --out <file> [--executor-out <file>]}. An archive serves any collector,
 * but only this JVM, these jars at these paths, and this companion.
 */
public final class ArchiveMain {
    private static final Set<String> ARGUMENTS = Set.of("--jars", "--companion", "--java", "--out", "--executor-out");

    private ArchiveMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            Arguments given = new Arguments(arguments, ARGUMENTS);
            Installation installation = new Installation(
                    given.existing("--java"), given.existing("--jars"), given.existing("--companion"), null, null);
            Path executorOut = given.textOrNull("--executor-out") == null ? null : given.path("--executor-out");
            new ArchiveMaker(installation, given.path("--out"), executorOut, Log::info).make();
        } catch (IOException | RuntimeException e) {
            Log.error("no archive made", e);
            System.exit(1);
        }
    }
}
