package io.ringmaster.executor.state;

import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/** The target in force. A new target is on disk before it is in force. */
public final class TargetStore {
    private final NodeFiles files;
    private final Runnable onChange;
    private NodeTarget current;

    /** @throws IOException there is no first target on disk; the pool writes it before it starts an executor */
    public TargetStore(NodeFiles files, Runnable onChange) throws IOException {
        this.files = files;
        this.onChange = onChange;
        this.current = Json.parse(Files.readAllBytes(files.target()), NodeTarget.class);
    }

    public synchronized NodeTarget current() {
        return current;
    }

    /**
     * Accepts a target unless it is older than the one in force or for another node; an equal target changes nothing.
     */
    public synchronized Optional<Problem> accept(NodeTarget target) throws IOException {
        if (!target.node().equals(current.node())) {
            return Optional.of(Problem.field(
                    ErrorCode.NODE_UNKNOWN,
                    "node",
                    "is " + target.node() + ", but this executor runs " + current.node()));
        }
        if (target.generation() < current.generation()) {
            return Optional.of(new Problem(
                    ErrorCode.VERSION_CONFLICT,
                    "generation",
                    target.generation() + " is older than " + current.generation() + ", which is in force",
                    "read the status and decide again"));
        }
        Optional<Problem> unusable = Configurations.problem(target);
        if (unusable.isPresent()) {
            return unusable;
        }
        if (!target.equals(current)) {
            DurableFiles.write(files.target(), Json.text(target));
            current = target;
            onChange.run();
        }
        return Optional.empty();
    }
}
