package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import java.nio.file.Path;

/**
 * What the executor asks for.
 *
 * @param task its arguments name the location ({@code to}), the repository ({@code cluster}, {@code incarnation}) and
 *     the {@code backup}; others depend on its kind
 * @param node that runs this program
 * @param volume the directory of that node's volume
 * @param locations the directory of the files of locations
 */
public record TransferRequest(NodeTask task, NodeId node, String volume, String locations) {
    String location() {
        return argument("to");
    }

    RepositoryKeys keys() {
        return new RepositoryKeys(new ClusterName(argument("cluster")), argument("incarnation"));
    }

    BackupId backup() {
        return new BackupId(argument("backup"));
    }

    NodeName name() {
        return NodeName.of(node);
    }

    Path files() {
        return Path.of(volume);
    }

    /** @throws IllegalArgumentException if it is missing */
    String argument(String name) {
        String value = task.args().get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("the task " + task.kind().label() + " lacks its argument " + name);
        }
        return value;
    }

    /** Whether the node of an upload has rows of ranges that it does not own any more. */
    boolean needsCleanup() {
        return Boolean.parseBoolean(task.args().get("needs_cleanup"));
    }

    /** Whether an upload sends all of its data, also what the location has. */
    boolean isFull() {
        return Boolean.parseBoolean(task.args().get("full"));
    }

    /** Whether another node may have done a part of it. */
    boolean isAgain() {
        return Boolean.parseBoolean(task.args().get(NodeTask.AGAIN));
    }

    /** The limit of {@code bandwidth} in bytes a second; none if it is 0 or missing. */
    RateLimit limit() {
        long most = Long.parseLong(task.args().getOrDefault("bandwidth", "0"));
        // a node that is restored has no clients yet
        boolean alone = task.kind() == NodeTask.Kind.RESTORE_FETCH;
        return new RateLimit(most, alone ? Yielding.never() : Yielding.ofThisProcess());
    }
}
