package io.ringmaster.ports;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskSecrets;
import java.util.Map;

/** The passwords of roles. */
@FunctionalInterface
public interface RolePasswords {
    /** Knows no password. */
    RolePasswords NONE =
            (cluster, task) -> new TaskSecrets(task.id(), Map.of(), "this server knows no passwords of roles");

    /**
     * The hashes of the passwords that a task names, or why one is missing. Takes long on purpose: a tenth of a second
     * for each.
     */
    TaskSecrets secrets(ClusterName cluster, NodeTask task);
}
