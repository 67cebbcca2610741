package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import java.io.IOException;
import java.util.Map;

/** Writes the files of a configuration to the volume. */
final class ConfigurationFiles {
    private ConfigurationFiles() {}

    static void write(Configuration configuration, NodeFiles files) throws IOException {
        for (Map.Entry<String, String> file : configuration.files().entrySet()) {
            DurableFiles.write(files.volume().resolve(file.getKey()), file.getValue());
        }
    }
}
