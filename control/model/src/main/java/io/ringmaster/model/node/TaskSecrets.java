package io.ringmaster.model.node;

import io.ringmaster.model.Ordered;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a task needs beside its arguments, and what nobody stores: the server sends it with the target, and the executor
 * keeps it in memory.
 *
 * @param task the id of the task
 * @param args further arguments, such as the hash of a password
 * @param problem why they are missing and what to do, or null
 */
public record TaskSecrets(String task, Map<String, String> args, @Nullable String problem) {
    public TaskSecrets {
        args = Ordered.copy(args);
    }

    /** Without the arguments, which must not reach a log. */
    @Override
    public String toString() {
        return "secrets of " + task;
    }
}
