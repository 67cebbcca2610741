package io.ringmaster.playground.command;

import io.ringmaster.playground.SpecAdditions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the spec of a playground has beside the example. */
public final class AdditionOptions {
    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description = "Install a storage engine beside Cassandra's own: ${COMPLETION-CANDIDATES}.")
    private SpecAdditions.@Nullable Engine engine;

    @Option(
            names = "--jvm-option",
            paramLabel = "OPTION",
            description = "An option of each node's Java virtual machine, such as --jvm-option=-Xlog:safepoint, after"
                    + " Ringmaster's own; may be repeated.")
    private List<String> jvmOptions = List.of();

    @Option(
            names = "--role",
            paramLabel = "NAME",
            description = "A CQL role with all permissions on data, for a client of your own; its password:"
                    + " ringmaster cluster password rides NAME.")
    private @Nullable String role;

    @Option(
            names = "--parameter",
            paramLabel = "NAME=VALUE",
            description = "A parameter of cassandra.yaml, such as --parameter=hinted_handoff_enabled=false; may be"
                    + " repeated.")
    private Map<String, String> parameters = Map.of();

    SpecAdditions read() {
        return new SpecAdditions(engine, jvmOptions, role, parameters);
    }
}
