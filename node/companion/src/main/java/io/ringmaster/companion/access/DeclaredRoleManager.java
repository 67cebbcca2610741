package io.ringmaster.companion.access;

import java.util.concurrent.Callable;
import org.apache.cassandra.auth.CassandraRoleManager;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * Cassandra's role manager without its default superuser {@code cassandra}, which has a known password. Roles come from
 * the spec of the cluster.
 */
public final class DeclaredRoleManager extends CassandraRoleManager {
    /** Whether this node was started with declared roles. */
    public static boolean isInUse() {
        return DatabaseDescriptor.getRoleManager() instanceof DeclaredRoleManager;
    }

    /** Cassandra would create the default superuser here. */
    @Override
    protected void scheduleSetupTask(Callable<Void> setupTask) {}
}
