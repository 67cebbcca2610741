package io.ringmaster.executor.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.Ordered;
import io.ringmaster.model.node.Stage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the daemon runs with, on disk for the executor that adopts it.
 *
 * @param fingerprint of the configuration that the daemon has, with what was changed in it live
 * @param joined this node was NORMAL once, so it holds its part of the ring
 * @param live what of the configuration can be changed live; null before any daemon, and in what an older version wrote
 */
public record DaemonState(
        long specVersion,
        long restarts,
        String fingerprint,
        boolean joined,
        int exits,
        Map<Stage, Instant> stages,
        @Nullable LiveSettings live) {

    public DaemonState {
        stages = Ordered.copy(stages);
    }

    public static DaemonState none() {
        return new DaemonState(0, 0, "", false, 0, Map.of(), null);
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
        DurableFiles.write(files.daemonState(), Json.text(this));
    }

    /** A daemon begins to start. The first one belongs to the launch of the node; each later one is timed as a launch of its own. */
    public DaemonState started(long spec, long restartCounter, String print, Map<String, Object> settings, Instant at) {
        boolean first = fingerprint.isEmpty();
        return new DaemonState(
                spec,
                restartCounter,
                print,
                joined,
                exits,
                first ? stages : Map.of(Stage.LAUNCH, at),
                LiveSettings.started(settings));
    }

    public DaemonState satisfying(long spec, long restartCounter) {
        return new DaemonState(spec, restartCounter, fingerprint, joined, exits, stages, live);
    }

    /** The running daemon is about to be told to change these parameters. */
    public DaemonState changing(Set<String> names) {
        return new DaemonState(
                specVersion,
                restarts,
                fingerprint,
                joined,
                exits,
                stages,
                settings().changing(names));
    }

    /** It has changed them. */
    public DaemonState changed(String print, Map<String, Object> now, Map<String, String> told) {
        return new DaemonState(
                specVersion, restarts, print, joined, exits, stages, settings().changed(now, told));
    }

    private LiveSettings settings() {
        return Objects.requireNonNull(live, "a daemon whose settings are not known is started anew");
    }

    public DaemonState withExits(int count) {
        return new DaemonState(specVersion, restarts, fingerprint, joined, count, stages, live);
    }

    public DaemonState joinedAt(Map<Stage, Instant> at) {
        return new DaemonState(specVersion, restarts, fingerprint, true, exits, at, live);
    }

    public DaemonState withStages(Map<Stage, Instant> at) {
        return new DaemonState(specVersion, restarts, fingerprint, joined, exits, at, live);
    }
}
