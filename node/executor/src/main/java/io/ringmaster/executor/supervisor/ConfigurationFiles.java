package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

/** Writes the files of a configuration to the volume, and removes what a start with it must not find there. */
final class ConfigurationFiles {
    private ConfigurationFiles() {}

    static void write(Configuration configuration, NodeFiles files) throws IOException {
        for (Map.Entry<String, String> file : configuration.files().entrySet()) {
            DurableFiles.write(files.volume().resolve(file.getKey()), file.getValue());
        }
    }

    /**
     * A start without Cassandra's check for outdated volumes forgets when the volume was last used: Cassandra writes no
     * heartbeat then, and would refuse the volume for the former one as soon as the check is on again.
     */
    static void forgetHeartbeat(NodeTarget target, NodeFiles files) throws IOException {
        boolean unchecked = target.cassandraYaml().get("startup_checks") instanceof Map<?, ?> checks
                && checks.get("check_data_resurrection") instanceof Map<?, ?> check
                && check.containsKey("enabled")
                && !Boolean.parseBoolean(String.valueOf(check.get("enabled")));
        if (unchecked) {
            Files.deleteIfExists(files.directory("data").resolve("cassandra-heartbeat"));
        }
    }
}
