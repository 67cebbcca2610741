package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.node.Stage;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The current {@link DaemonState}, on disk and in memory. */
public final class DaemonStateFile {
    private final NodeFiles files;
    private DaemonState current;
    private @Nullable DaemonState stored;

    /** @param stages the stages reached so far, if no daemon was started here yet */
    public DaemonStateFile(NodeFiles files, Map<Stage, Instant> stages) throws IOException {
        this.files = files;
        this.stored = DaemonState.read(files).orElse(null);
        this.current = stored == null ? DaemonState.none().withStages(stages) : stored;
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
