package io.ringmaster.core.safety;

import io.ringmaster.core.lock.Replacements;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/**
 * A cleanup removes rows whose ranges other nodes took over. It waits until each of those has joined and is NORMAL, and
 * has repaired its ranges, see {@code RunTask}: until then the rows that it removes may be the only copies.
 */
public final class CleanupCheck {
    private CleanupCheck() {}

    /** Why rows of handed over ranges must be kept for now. */
    public static Optional<String> blocked(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .filter(n -> n.launched() || n.ownsRanges())
                .flatMap(n -> blocked(view, n).stream())
                .findFirst();
    }

    private static Optional<String> blocked(View view, NodeRecord node) {
        String name = node.id().shortName();
        if (!node.joined()) {
            return Optional.of(
                    node.replaces() == null
                            ? name + " has not joined yet"
                            : name + " is being replaced" + Replacements.nextStep(view, node));
        }
        return AvailabilityCheck.unsettled(view, node);
    }
}
