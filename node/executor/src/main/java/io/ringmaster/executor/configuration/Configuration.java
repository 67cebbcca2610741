package io.ringmaster.executor.configuration;

import io.ringmaster.model.Ordered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The complete configuration of one node, generated from its target at each use.
 *
 * @param files the content of each file by its path relative to the volume
 * @param directories the directories to create, relative to the volume
 * @param command the Java command
 * @param environment the environment variables of the command
 * @param fingerprint equal for configurations of one release between which a change needs no restart
 */
public record Configuration(
        Map<String, String> files,
        List<String> directories,
        List<String> command,
        Map<String, String> environment,
        String fingerprint) {

    public Configuration {
        files = Ordered.copy(files);
        directories = List.copyOf(directories);
        command = List.copyOf(command);
        environment = Ordered.copy(environment);
    }

    /**
     * The same, but the JVM writes no heap dump when its memory ends, unless the spec asks for it. The fingerprint
     * stays, because the reason may pass while the daemon runs.
     */
    public Configuration withoutHeapDump() {
        List<String> changed = new ArrayList<>(command);
        int generated = changed.indexOf("-XX:+" + JvmOptions.HEAP_DUMP); // an option of the spec comes later
        if (generated >= 0) {
            changed.set(generated, "-XX:-" + JvmOptions.HEAP_DUMP);
        }
        return new Configuration(files, directories, changed, environment, fingerprint);
    }
}
