package io.ringmaster.wire.node;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.node.LoginOrder;
import java.io.IOException;

/** Makes logins for a time at a node, by its executor. */
@FunctionalInterface
public interface ExecutorLogins {
    /**
     * @throws NotYetException if the node cannot make logins yet
     * @throws IOException with the reason why there is no login
     */
    void create(Allocation allocation, LoginOrder login) throws IOException;
}
