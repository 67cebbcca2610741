package io.ringmaster.core.status;

import io.ringmaster.core.safety.Absence;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.NodeRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Nodes that are down for so long that their volumes will be outdated, at half and at four fifths of that time. */
final class AbsenceFindings {
    private static final int WARNING = 50;
    private static final int ERROR = 80;

    private AbsenceFindings() {}

    static List<Finding> of(View view, ClusterName cluster) {
        Duration gcGrace = Absence.smallestGcGrace(view, cluster);
        List<Finding> findings = new ArrayList<>();
        for (NodeRecord node : view.nodesOf(cluster)) {
            Instant lastUp = node.lastUp();
            if (lastUp == null || !node.joined() || node.leaving() || Absence.isUp(view, node)) {
                continue;
            }
            Duration away = Duration.between(lastUp, view.now());
            long percent = 100 * away.toSeconds() / gcGrace.toSeconds();
            if (percent >= WARNING) {
                findings.add(new Finding(node.id().inCluster(), problem(node, gcGrace, away, percent), lastUp));
            }
        }
        return findings;
    }

    private static Problem problem(NodeRecord node, Duration gcGrace, Duration away, long percent) {
        Duration left = gcGrace.minus(away);
        String then = left.isNegative() || left.isZero()
                ? "rows that were deleted meanwhile could return from its volume"
                : age(left) + " are left until rows that were deleted meanwhile could return from its volume";
        Advice start =
                node.run() || node.evacuating() ? Advice.of("start it in time") : Advice.startCluster(node.cluster());
        return Problem.of(
                percent >= ERROR ? ErrorCode.VOLUME_EXPIRING : ErrorCode.VOLUME_AGING,
                "is down for " + percent + " % of the smallest gc_grace of its tables (" + age(gcGrace) + "): " + then,
                start.and("; when it can no longer be started: ", Advice.replaceNode(node.id())));
    }

    private static String age(Duration time) {
        return time.compareTo(Duration.ofMinutes(1)) < 0
                ? time.toSeconds() + "s"
                : Age.write(time.truncatedTo(ChronoUnit.MINUTES));
    }
}
