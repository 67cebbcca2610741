package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.Log;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.Stage;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The current {@link DaemonState}, on disk and in memory. */
public final class DaemonStateFile {
    private final NodeFiles files;
    private DaemonState current;
    private @Nullable DaemonState stored;
    private boolean lost;

    /** @param stages the stages reached so far, if no daemon was started here yet */
    public DaemonStateFile(NodeFiles files, Map<Stage, Instant> stages) throws IOException {
        this.files = files;
        this.stored = DaemonState.read(files).orElse(null);
        Optional<DaemonState> copy = DaemonState.readCopy(files);
        this.current = Optional.ofNullable(stored).or(() -> copy).orElseGet(() -> DaemonState.none()
                .withStages(stages));
        this.lost = stored == null && copy.isEmpty() && files.holdsData();
        if (lost) {
            Log.info(files.daemonState() + " is missing or damaged, though " + files.volume() + " holds data");
        } else if (stored == null && copy.isPresent()) {
            Log.info(files.daemonState() + " is missing or damaged, and made again from its copy");
        } else if (stored != null && !copy.equals(Optional.of(stored))) {
            copyAgain(stored);
        }
    }

    /** An executor of an earlier release wrote no copy, and does not change one that is there. */
    private void copyAgain(DaemonState sound) {
        try {
            sound.writeCopy(files);
        } catch (IOException e) {
            Log.info(files.daemonState() + " has no copy until its next change: " + e);
        }
    }

    /** Whether data was found without a sound record of it, and what it belongs to is not known yet. */
    public boolean isLost() {
        return lost;
    }

    /**
     * Derives a lost record from what is there: the data is that of a joined node if the target says that the node has
     * joined, and a daemon that runs keeps running.
     *
     * @param running the fingerprint of the target's configuration if a daemon runs, else null
     */
    public void recover(NodeTarget target, @Nullable String running) {
        if (lost && target.joined()) {
            lost = false;
            current = current.hasJoined();
            Log.info("the node has joined the ring, by its target, so that its data counts");
        }
        if (running != null && current.fingerprint().isEmpty()) {
            current = current.runningWith(target.specVersion(), target.restarts(), running);
            Log.info("the daemon counts as started with the configuration of the target; a restart makes sure");
        }
    }

    /** Whether the file says that the node has joined. */
    public boolean hasStoredJoin() {
        return stored != null && stored.joined();
    }

    public DaemonState current() {
        return current;
    }

    public void write(DaemonState next) throws IOException {
        current = next;
        save();
    }

    /** Changes the state in memory; the next {@link #save} stores it. */
    public void change(DaemonState next) {
        current = next;
    }

    /** Stores the state unless the file has it. A failed write leaves the state in memory for the next attempt. */
    public void save() throws IOException {
        DaemonState next = current;
        if (!next.equals(stored)) {
            next.write(files);
            stored = next;
        }
    }

    /** Resets the count in memory; the next write stores it. */
    public void resetExits() {
        change(current.withExits(0));
    }
}
