package io.ringmaster.executor.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.state.RecordFile;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.Ordered;
import io.ringmaster.model.node.Stage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
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
 * @param run where the log of the daemon's run starts; null before any daemon and in files of older versions
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
        @Nullable Asked asked,
        @Nullable RunMark run) {

    /** A later version may know stages and joins that this one does not. */
    private static final ObjectReader READER =
            Json.mapper().readerFor(DaemonState.class).with(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL);

    public DaemonState {
        Objects.requireNonNull(fingerprint, "fingerprint is missing");
        Map<Stage, Instant> known = new HashMap<>(stages);
        known.remove(null);
        stages = Ordered.copy(known);
        // files of older versions have none
        firstJoin = firstJoin == null ? FirstJoin.NONE : firstJoin;
    }

    public static DaemonState none() {
        return new DaemonState(0, 0, "", false, 0, Map.of(), FirstJoin.NONE, null, null, null);
    }

    /** Empty if there is none; a damaged one is kept aside. */
    public static Optional<DaemonState> read(NodeFiles files) throws IOException {
        return read(files.daemonState());
    }

    /** The second copy, which is of the same write or of the next one; empty also if it cannot be read. */
    static Optional<DaemonState> readCopy(NodeFiles files) {
        try {
            return read(files.daemonStateCopy());
        } catch (IOException e) {
            Log.info(files.daemonStateCopy() + " cannot be read: " + e);
            return Optional.empty();
        }
    }

    private static Optional<DaemonState> read(Path file) throws IOException {
        return RecordFile.read(file, DaemonState::parse, "it is made again from what is there");
    }

    private static @Nullable DaemonState parse(byte[] json) {
        try {
            return READER.readValue(new String(json, StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("not a DaemonState", e);
        }
    }

    /** The copy is first: what it adds to the file was decided. Where it cannot be written, there is the file alone. */
    public void write(NodeFiles files) throws IOException {
        try {
            writeCopy(files);
        } catch (IOException e) {
            Log.info(files.daemonStateCopy() + " cannot be written: " + e);
        }
        DurableFiles.write(files.daemonState(), Json.text(this));
    }

    void writeCopy(NodeFiles files) throws IOException {
        DurableFiles.write(files.daemonStateCopy(), Json.text(this));
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

    /** @param start that of the daemon that is about to start */
    public DaemonState withRun(RunMark start) {
        return edit().run(start).build();
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

    /** The record is lost, but the node has joined. */
    DaemonState hasJoined() {
        return edit().joined(true).build();
    }

    /** The record is lost, but the daemon runs: nothing says that it runs with anything else than this. */
    DaemonState runningWith(long spec, long restartCounter, String print) {
        return edit().specVersion(spec)
                .restarts(restartCounter)
                .fingerprint(print)
                .build();
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
