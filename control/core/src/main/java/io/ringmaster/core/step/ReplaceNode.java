package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.NodeId;
import java.util.Map;

/**
 * Replaces a dead node, as {@link NodeReplacement} says.
 *
 * @param besideDown whether other nodes may be down meanwhile
 */
public record ReplaceNode(NodeId node, boolean besideDown) implements Step {
    @Override
    public String name() {
        return "replace " + node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        return new NodeReplacement(node, besideDown, null).next(view, budget, memory);
    }
}
