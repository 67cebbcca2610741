package io.ringmaster.executor.daemon;

import io.ringmaster.model.spec.Preset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Cassandra locks its whole memory when it may. That is right in production; on a laptop it triples what a node keeps resident,
 * so the development preset takes the right away.
 */
public final class MemoryLock {
    private static final String FORBIDDEN_BYTES = "65536:65536";

    private MemoryLock() {}

    /** A command prefix; empty where nothing is to be done or the tools are missing. */
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
