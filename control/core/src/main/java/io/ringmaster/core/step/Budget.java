package io.ringmaster.core.step;

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

    /** Why the node does not yet count as up. */
    Optional<String> untilSeen(View view, NodeRecord node);
}
