package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Asked;
import io.ringmaster.executor.daemon.DaemonLeftovers;
import io.ringmaster.executor.daemon.DaemonStateFile;
import io.ringmaster.executor.daemon.RunMark;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.LiveParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;

/**
 * What a daemon is about to start with.
 *
 * @param run where its log starts
 */
record DaemonStart(Configuration configuration, RunMark run) {

    /** Writes the files of the daemon, and last of all in its record what it is started for. */
    static DaemonStart prepare(
            NodeTarget target, NodeAddress address, NodeFiles files, Installation installation, DaemonStateFile state)
            throws IOException {
        Configuration configuration = DaemonLeftovers.withoutDumpIfItHasNoRoom(
                Configurations.of(
                        target, address, files, installation, state.current().joined()),
                files,
                target.resources().heapBytes());
        for (String directory : configuration.directories()) {
            Files.createDirectories(files.directory(directory));
        }
        ConfigurationFiles.write(configuration, files);
        ConfigurationFiles.forgetHeartbeat(target, files);
        Files.writeString(files.conf().resolve("command"), String.join("\n", configuration.command()) + "\n");
        Files.deleteIfExists(files.socket());
        RunMark run = RunMark.now(files);
        state.write(state.current()
                .started(
                        target.specVersion(),
                        target.restarts(),
                        configuration.fingerprint(),
                        LiveParameters.of(target.cassandraYaml()),
                        Instant.now())
                .askedFor(new Asked(target, address))
                .withRun(run));
        return new DaemonStart(configuration, run);
    }
}
