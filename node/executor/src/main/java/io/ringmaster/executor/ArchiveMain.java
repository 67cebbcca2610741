package io.ringmaster.executor;

import io.ringmaster.executor.archive.ArchiveMaker;
import io.ringmaster.executor.archive.ExecutorJvm;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.log.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Creates the class data archives of daemons (for the executor's {@code --cds}) and executors (for
 * {@code -XX:SharedArchiveFile}). An archive works with any collector, but only with the same JVM, jars, paths and
 * companion.
 *
 * <p>Arguments: {@code --jars <directory> --companion <jar> --java <binary> --out <file> [--executor-out <file>]}
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
            ExecutorJvm executor = new ExecutorJvm(ExecutorMain.JVM_OPTIONS, ExecutorMain.class.getName());
            new ArchiveMaker(installation, executor, given.path("--out"), executorOut, Log::info).make();
        } catch (IOException | RuntimeException e) {
            Log.error("cannot create the archive", e);
            System.exit(1);
        }
    }
}
