package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.node.Stage;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** The current {@link DaemonState}, on disk and in memory. */
public final class DaemonStateFile {
    private final NodeFiles files;
    private DaemonState current;

    /** @param stages the stages reached so far, if no daemon was started here yet */
    public DaemonStateFile(NodeFiles files, Map<Stage, Instant> stages) throws IOException {
        this.files = files;
        this.current =
                DaemonState.read(files).orElseGet(() -> DaemonState.none().withStages(stages));
    }

    public DaemonState current() {
        return current;
    }

    public void write(DaemonState next) throws IOException {
        current = next;
        next.write(files);
    }

    /** Resets the count in memory; the next write stores it. */
    public void resetExits() {
        current = current.withExits(0);
    }
}
