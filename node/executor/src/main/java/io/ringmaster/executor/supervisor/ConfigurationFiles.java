package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/** Writes the files of a configuration to the volume, and removes what a start with it must not find there. */
final class ConfigurationFiles {
    private static final String YAML = "conf/cassandra.yaml";

    private ConfigurationFiles() {}

    static void write(Configuration configuration, NodeFiles files) throws IOException {
        for (Map.Entry<String, String> file : configuration.files().entrySet()) {
            DurableFiles.write(files.volume().resolve(file.getKey()), file.getValue());
        }
    }

    /**
     * Whether the files of the daemon have the address of this configuration, and TLS wherever it has TLS: an executor
     * that knew no TLS started the same version of a spec in clear text.
     */
    static boolean agree(Configuration configuration, NodeFiles files) {
        List<String> wanted =
                configuration.files().getOrDefault(YAML, "").lines().toList();
        List<String> had;
        try {
            had = Files.readAllLines(files.volume().resolve(YAML));
        } catch (IOException e) {
            return false;
        }
        return had.containsAll(starting(wanted, "listen_address: "))
                && List.of("server_encryption_options: ", "client_encryption_options: ").stream()
                        .noneMatch(name -> starting(had, name).isEmpty()
                                && !starting(wanted, name).isEmpty());
    }

    private static List<String> starting(List<String> lines, String start) {
        return lines.stream().filter(line -> line.startsWith(start)).toList();
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
