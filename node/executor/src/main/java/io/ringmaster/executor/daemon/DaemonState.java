package io.ringmaster.executor.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.Ordered;
import io.ringmaster.model.node.Stage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What the daemon was started with, on disk for the executor that adopts it.
 *
 * @param joined this node was NORMAL once, so it holds its part of the ring
 */
public record DaemonState(
        long specVersion, long restarts, String fingerprint, boolean joined, int exits, Map<Stage, Instant> stages) {

    public DaemonState {
        stages = Ordered.copy(stages);
    }

    public static DaemonState none() {
        return new DaemonState(0, 0, "", false, 0, Map.of());
    }

    public static Optional<DaemonState> read(NodeFiles files) throws IOException {
        try {
            return Optional.of(Json.mapper().readValue(files.daemonState().toFile(), DaemonState.class));
        } catch (JsonProcessingException e) {
            throw new IOException(files.daemonState() + " is damaged", e);
        } catch (NoSuchFileException | java.io.FileNotFoundException e) {
            return Optional.empty();
        }
    }

    public void write(NodeFiles files) throws IOException {
        WholeFile.write(files.daemonState(), Json.text(this));
    }

    /** A daemon begins to start. The first one belongs to the launch of the node; each later one is timed as a launch of its own. */
    public DaemonState started(long spec, long restartCounter, String print, Instant at) {
        boolean first = fingerprint.isEmpty();
        return new DaemonState(spec, restartCounter, print, joined, exits, first ? stages : Map.of(Stage.LAUNCH, at));
    }

    public DaemonState satisfying(long spec, long restartCounter) {
        return new DaemonState(spec, restartCounter, fingerprint, joined, exits, stages);
    }

    public DaemonState withExits(int count) {
        return new DaemonState(specVersion, restarts, fingerprint, joined, count, stages);
    }

    public DaemonState joinedAt(Map<Stage, Instant> at) {
        return new DaemonState(specVersion, restarts, fingerprint, true, exits, at);
    }

    public DaemonState withStages(Map<Stage, Instant> at) {
        return new DaemonState(specVersion, restarts, fingerprint, joined, exits, at);
    }
}
