package io.ringmaster.executor;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;

/** The servers that a running daemon asks for its seeds. */
final class SeedServers {
    private SeedServers() {}

    /** Writes them only when they have changed, so that a full disk does not stand in the way of a target that leaves them as they are. */
    static void write(NodeTarget target, NodeFiles files) throws IOException {
        String servers = String.join("\n", target.seedProviderUrls()) + "\n";
        if (!Files.exists(files.seedServers())
                || !Files.readString(files.seedServers()).equals(servers)) {
            DurableFiles.write(files.seedServers(), servers);
        }
    }
}
