package io.ringmaster.host;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The names of the cgroups that a local pool makes:
 * {@code ringmaster-<hash of the allocations directory>-<allocation>}.
 */
public final class CgroupNames {
    private CgroupNames() {}

    /**
     * The prefix of all cgroups of one pool, distinct for each pool on this computer.
     *
     * @param stateDirectory the pool's, which must exist; links in its path are resolved, so that every path to it
     *     gives one prefix
     */
    public static String prefix(Path stateDirectory) throws IOException {
        Path allocations = stateDirectory.toRealPath().resolve("allocations");
        return "ringmaster-" + Integer.toHexString(allocations.toString().hashCode()) + "-";
    }
}
