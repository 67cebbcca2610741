package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.PresetSetting;
import io.ringmaster.executor.configuration.PresetSetting.Place;
import io.ringmaster.model.spec.Preset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Cassandra locks its whole memory if it is permitted to. A preset may revoke the permission. */
public final class MemoryLock {
    private MemoryLock() {}

    /** A command prefix; empty for a preset that permits it, and where the tools are missing. */
    public static List<String> prefix(Preset preset) {
        List<String> prefix = new ArrayList<>();
        List<String> limit = PresetSetting.words(Place.MEMORY_LOCK, preset);
        if (!limit.isEmpty() && isThere("prlimit")) {
            prefix.add("prlimit");
            prefix.addAll(limit);
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
