package io.ringmaster.executor;

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

/** The target in force; on disk before it is taken. */
public final class Targets {
    private final NodeFiles files;
    private final Runnable onChange;
    private NodeTarget current;

    /** @throws IOException there is no first target; the pool writes it before it starts an executor */
    public Targets(NodeFiles files, Runnable onChange) throws IOException {
        this.files = files;
        this.onChange = onChange;
        this.current = Json.parse(Files.readAllBytes(files.target()), NodeTarget.class);
    }

    public synchronized NodeTarget current() {
        return current;
    }

    /** Takes a target unless it is older than the one in force, or meant for another node; the same one again changes nothing. */
    public synchronized Optional<Problem> take(NodeTarget target) throws IOException {
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
                    "read the status and decide anew"));
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
