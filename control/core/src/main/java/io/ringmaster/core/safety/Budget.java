package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/**
 * The disruption budget of a live cluster: how many of its nodes a plan may have down. Each method says what stands in the way, or
 * nothing.
 */
public interface Budget {
    /** Why this node must not be started, stopped or changed now. */
    Optional<String> beforeTouching(View view, NodeRecord node, long specVersion);

    /**
     * Why a request must not take this node down now. A spec, which has the right of way, is not asked this.
     *
     * @param together nodes of its rack do not count
     * @param allowSilentPeers what gossip tells of a datacenter whose server is silent is enough
     */
    Optional<String> beforeRequested(View view, NodeRecord node, boolean together, boolean allowSilentPeers);

    /**
     * Why a dead node must not begin anew elsewhere now. That takes nobody down, and while the dead endpoint is in the ring nobody else is
     * touched: so it need not wait for a spec.
     *
     * @param besideDown other nodes that are down do not count
     */
    Optional<String> beforeReplacing(View view, NodeRecord node, boolean besideDown);

    /** Why the node does not yet count as up. */
    Optional<String> untilSeen(View view, NodeRecord node);
}
