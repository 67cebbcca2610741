package io.ringmaster.executor.daemon;

import io.ringmaster.model.spec.Preset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Cassandra locks its whole memory if it is permitted to. That is right in production. On a laptop it triples the
 * resident memory of a node, so the development preset revokes the permission.
 */
public final class MemoryLock {
    private static final String FORBIDDEN_BYTES = "65536:65536";

    private MemoryLock() {}

    /** A command prefix; empty for other presets and where the tools are missing. */
    public static List<String> prefix(Preset preset) {
        List<String> prefix = new ArrayList<>();
        if (preset == Preset.DEVELOPMENT && isThere("prlimit")) {
            prefix.addAll(List.of("prlimit", "--memlock=" + FORBIDDEN_BYTES));
            if ("root".equals(System.getProperty("user.name")) && isThere("setpriv")) {
                prefix.addAll(List.of("setpriv", "--bounding-set", "-ipc_lock", "--inh-caps", "-ipc_lock"));
            }
        }
        return prefix;
    }

    private static boolean isThere(String program) {
        return Files.isExecutable(Path.of("/usr/bin", program)) || Files.isExecutable(Path.of("/bin", program));
    }
}
