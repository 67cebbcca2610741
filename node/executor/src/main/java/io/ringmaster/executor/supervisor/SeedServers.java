package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;

/** The file of the servers that a running daemon asks for its seeds. */
final class SeedServers {
    private SeedServers() {}

    /**
     * Writes the file only if its content changed, so that a full disk does not block a target with the same servers.
     */
    static void write(NodeTarget target, NodeFiles files) throws IOException {
        String servers = files.seedServers(target.seedProviderUrls());
        if (!Files.exists(files.seedServers())
                || !Files.readString(files.seedServers()).equals(servers)) {
            DurableFiles.write(files.seedServers(), servers);
        }
    }
}
