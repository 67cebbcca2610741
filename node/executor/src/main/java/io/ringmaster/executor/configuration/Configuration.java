package io.ringmaster.executor.configuration;

import io.ringmaster.model.Ordered;
import java.util.List;
import java.util.Map;

/**
 * One node's whole configuration, generated anew from its target each time.
 *
 * @param files content by path relative to the volume
 * @param directories to make, relative to the volume
 * @param command the Java command
 * @param environment variables set for it
 * @param fingerprint two configurations with the same fingerprint need no restart from one to the other
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
}
