package io.ringmaster.executor.task;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Backoff;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.state.RecordFile;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.spec.Preset;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs the transfer of the target to its end in a program of its own, whatever the daemon does meanwhile. A program
 * that died is started again and continues from its journal; so is one that halted with its executor. A transfer whose
 * end is recorded on disk never runs again. A program is stopped when its transfer is no longer in the target. The
 * snapshot of an upload that is over, or is stopped, is deleted: it would keep files that compactions replace. Where
 * these files leave too little room to the data an upload ends, and a snapshot that nobody sends is deleted.
 */
public final class TransferKeeper {
    /** With the pauses between them a minute: a program that dies at its start is not going to run. */
    private static final int DEATHS_MAX = 8;

    private final NodeFiles files;
    private final SnapshotLinks snapshots;
    private final VolumeRoom room;
    private final NodeId node;
    private final @Nullable TransferProgram program;
    private final Runnable wake;
    private final int deathsMax;
    private final Backoff backoff = new Backoff();
    private @Nullable TransferProcess process;
    private @Nullable TaskStatus status;
    private int deaths;
    private long doneBefore;

    /** The first line of the program's input. */
    private record Request(NodeTask task, NodeId node, String volume, String locations) {}

    /**
     * @param program null if it is not installed
     * @param wake runs when the state of the program has changed
     * @throws IOException the recorded end of the last transfer cannot be read
     */
    public TransferKeeper(NodeFiles files, NodeId node, @Nullable TransferProgram program, Runnable wake)
            throws IOException {
        this(files, node, program, wake, DEATHS_MAX, new VolumeRoom(files.volume()));
    }

    TransferKeeper(
            NodeFiles files,
            NodeId node,
            @Nullable TransferProgram program,
            Runnable wake,
            int deathsMax,
            VolumeRoom room)
            throws IOException {
        this.files = files;
        this.snapshots = new SnapshotLinks(files.volume());
        this.room = room;
        this.node = node;
        this.program = program;
        this.wake = wake;
        this.deathsMax = deathsMax;
        this.status = RecordFile.read(
                        files.transfer(),
                        json -> Json.parse(json, TaskStatus.class),
                        "if the target still has its transfer, that runs again")
                .orElse(null);
    }

    /** The status of the transfer in the target; null if unknown. */
    public @Nullable TaskStatus status(@Nullable NodeTask wanted) {
        TaskStatus known = status;
        return wanted != null && known != null && known.id().equals(wanted.id()) ? known : null;
    }

    /**
     * Performs the next action for the transfer in the target. It may be repeated after an error.
     *
     * @throws IOException the program cannot be started, or its end cannot be recorded
     */
    public void advance(@Nullable NodeTask wanted, Preset preset) throws IOException {
        if (process != null && !hasEnded(process, wanted)) {
            return;
        }
        process = null;
        if (wanted == null || isOver(wanted)) {
            makeRoom();
            return;
        }
        if (status(wanted) == null) {
            deaths = 0;
            doneBefore = 0;
            backoff.reset();
            status = of(wanted, TaskStatus.State.RUNNING, "starts", Instant.now(), null);
        }
        Path locations = program == null ? null : program.locations();
        if (program == null) {
            fail(wanted, "the transfer program is not installed beside the executor; run ./dev build");
        } else if (locations == null) {
            fail(
                    wanted,
                    "this node gets no locations of backups: set backup_locations in server.yaml, or on Kubernetes"
                            + " backup_locations_secret of its pool, and restart the node");
        } else if (backoff.remaining().isZero()) {
            start(wanted, program.command(preset), locations);
        }
    }

    private boolean isOver(@Nullable NodeTask wanted) {
        TaskStatus known = status(wanted);
        return known != null && known.state().isOver();
    }

    private void start(NodeTask wanted, List<String> command, Path locations) throws IOException {
        Request request = new Request(wanted, node, files.volume().toString(), locations.toString());
        TransferProcess started = TransferProcess.start(wanted, command, files, Json.text(request), wake);
        Log.info("started the program " + started.pid() + " for the "
                + wanted.kind().label() + " " + wanted.id());
        process = started;
    }

    /** Takes over what the program reports, and stops it when nothing is left for it to do. */
    private boolean hasEnded(TransferProcess running, @Nullable NodeTask wanted) throws IOException {
        boolean alive = running.isAlive();
        if (!alive) {
            running.join();
        }
        NodeTask task = running.task();
        boolean isWanted = wanted != null && task.id().equals(wanted.id());
        TaskStatus reported = running.last();
        if (isWanted && reported != null && !isOver(task)) {
            update(task, reported);
        }
        if (alive && isWanted && !isOver(task) && task.kind() == NodeTask.Kind.BACKUP_UPLOAD) {
            giveWay(task);
        }
        if (alive && (!isWanted || isOver(task))) {
            running.stop();
        } else if (!alive && isWanted && !isOver(task)) {
            died(task, running.end());
        } else if (!alive && !isWanted) {
            snapshots.deleteThatOf(task);
        }
        return !alive;
    }

    /** A snapshot that no upload sends, as that of a backup which another node ended, gives way without a word. */
    private void makeRoom() {
        if (room.lack().isPresent()) {
            snapshots.deleteAll();
        }
    }

    private void giveWay(NodeTask upload) throws IOException {
        Optional<String> lack = room.lack();
        if (lack.isPresent()) {
            fail(upload, lack.get());
        }
    }

    /** A program that achieved something before it died may go on; one that did not is given up in the end. */
    private void died(NodeTask task, String how) throws IOException {
        TaskStatus known = status(task);
        long done = known == null ? 0 : known.done();
        if (done > doneBefore) {
            deaths = 0;
            backoff.reset();
        }
        doneBefore = Math.max(doneBefore, done); // one that starts from 0 each time achieves nothing
        deaths++;
        backoff.ended(Duration.ZERO);
        Log.info("the program of the " + task.kind().label() + " " + task.id() + " ended: " + how);
        if (deaths >= deathsMax) {
            fail(task, "its program ended " + deaths + " times without any progress, the last time with " + how);
        } else if (known != null) {
            status = new TaskStatus(
                    known.id(),
                    known.kind(),
                    TaskStatus.State.RUNNING,
                    done,
                    known.total(),
                    known.unit(),
                    "its program starts again after " + how,
                    known.startedAt(),
                    null);
        }
    }

    private void fail(NodeTask task, String why) throws IOException {
        TaskStatus known = status(task);
        Instant now = Instant.now();
        update(task, of(task, TaskStatus.State.FAILED, why, known == null ? now : known.startedAt(), now));
    }

    private static TaskStatus of(
            NodeTask task, TaskStatus.State state, String message, Instant startedAt, @Nullable Instant endedAt) {
        return new TaskStatus(task.id(), task.kind(), state, 0, 0, "bytes", message, startedAt, endedAt);
    }

    private void update(NodeTask task, TaskStatus next) throws IOException {
        if (next.state().isOver()) {
            snapshots.deleteThatOf(task);
            DurableFiles.write(files.transfer(), Json.text(next));
            Log.info("the " + next.kind().label() + " " + next.id() + " is " + next.state() + ": " + next.message());
        }
        status = next;
    }
}
