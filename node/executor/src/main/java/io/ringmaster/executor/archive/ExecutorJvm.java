package io.ringmaster.executor.archive;

import java.util.List;

/**
 * The JVM of the executor that runs the throwaway node.
 *
 * @param options the JVM options
 * @param mainClass the main class, on the class path of this process
 */
public record ExecutorJvm(List<String> options, String mainClass) {
    public ExecutorJvm {
        options = List.copyOf(options);
    }
}
