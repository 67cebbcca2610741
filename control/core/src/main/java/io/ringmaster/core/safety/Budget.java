package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/**
 * The disruption budget of a live cluster: which of its nodes a plan may take down. Each method returns what
 * prevents the change, or nothing.
 */
public interface Budget {
    /** Why a spec must not start, stop or change this node now. */
    Optional<String> beforeTouching(View view, NodeRecord node, long specVersion);

    /**
     * Why a request must not take this node down now. A spec has priority and does not ask this.
     *
     * @param together whether nodes of the same rack may be down
     * @param allowSilentPeers whether gossip suffices for a datacenter whose server is silent
     */
    Optional<String> beforeRequested(View view, NodeRecord node, boolean together, boolean allowSilentPeers);

    /** Why a request must not repair on this node now. A repair needs the replicas of its ranges, and no other node. */
    Optional<String> beforeRepair(View view, NodeRecord node, RepairScope scope, boolean allowSilentPeers);

    /**
     * Why a dead node must not be replaced now. A replacement takes no node down, and no other node is changed
     * while the dead endpoint is in the ring; therefore it need not wait for a spec.
     *
     * @param besideDown whether other nodes may be down
     */
    Optional<String> beforeReplacing(View view, NodeRecord node, boolean besideDown);

    /** Why the node does not count as up yet. */
    Optional<String> untilSeen(View view, NodeRecord node);
}
