package io.ringmaster.executor.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.Ordered;
import io.ringmaster.model.node.Stage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration and history of the daemon, on disk for the executor that adopts it.
 *
 * @param specVersion the version of the spec that the daemon satisfies
 * @param restarts the target's restart counter that the daemon satisfies
 * @param fingerprint the fingerprint of the daemon's configuration as its executor generated it, including live changes
 * @param joined whether this node was NORMAL once and so owns its part of the ring
 * @param exits the unexpected ends of the daemon under the current target, since its last good run
 * @param stages the times of the start-up stages
 * @param firstJoin whether the node joined without the rows that clients wrote before
 * @param live the live parameters of the configuration; null before any daemon and in files of older versions
 * @param asked what the daemon was started for, including live changes; null before any daemon and in files of older
 *     versions
 */
@RecordBuilder
public record DaemonState(
        long specVersion,
        long restarts,
        String fingerprint,
        boolean joined,
        int exits,
        Map<Stage, Instant> stages,
        FirstJoin firstJoin,
        @Nullable LiveSettings live,
        @Nullable Asked asked) {

    public DaemonState {
        stages = Ordered.copy(stages);
        // files of older versions have none
        firstJoin = firstJoin == null ? FirstJoin.NONE : firstJoin;
    }

    public static DaemonState none() {
        return new DaemonState(0, 0, "", false, 0, Map.of(), FirstJoin.NONE, null, null);
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

    /** A daemon starts. The first start is part of the node's launch; each later one is a launch of its own. */
    public DaemonState started(long spec, long restartCounter, String print, Map<String, Object> settings, Instant at) {
        boolean first = fingerprint.isEmpty();
        return edit().specVersion(spec)
                .restarts(restartCounter)
                .fingerprint(print)
                .stages(first ? stages : Map.of(Stage.LAUNCH, at))
                .live(LiveSettings.started(settings))
                .build();
    }

    public DaemonState satisfying(long spec, long restartCounter) {
        return edit().specVersion(spec).restarts(restartCounter).build();
    }

    /** The daemon does what this asks for. */
    public DaemonState askedFor(@Nullable Asked order) {
        return edit().asked(order).build();
    }

    /** These parameters are about to be changed in the running daemon. */
    public DaemonState changing(Set<String> names) {
        return edit().live(settings().changing(names)).build();
    }

    /** The daemon has changed its parameters. */
    public DaemonState changed(String print, Map<String, Object> now, Map<String, String> answer) {
        return edit().fingerprint(print).live(settings().changed(now, answer)).build();
    }

    private LiveSettings settings() {
        return Objects.requireNonNull(
                live, "a daemon with unknown live settings must be restarted before a live change");
    }

    public DaemonState withFirstJoin(FirstJoin known) {
        return edit().firstJoin(known).build();
    }

    public DaemonState withExits(int count) {
        return edit().exits(count).build();
    }

    public DaemonState joinedAt(Map<Stage, Instant> at) {
        return edit().joined(true).stages(at).build();
    }

    public DaemonState withStages(Map<Stage, Instant> at) {
        return edit().stages(at).build();
    }

    private DaemonStateBuilder edit() {
        return DaemonStateBuilder.builder(this);
    }
}
