package io.ringmaster.core.status;

import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.VolumeUse;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.Size;
import java.util.List;
import java.util.Optional;

/** Nodes whose volume holds 80 % or 90 % of {@code node.disk}, or whose file system is as full. */
final class RoomFindings {
    private static final int WARNING = 80;
    private static final int ERROR = 90;

    /** The share of what is full, in percent, from which on clearing snapshots is the first thing to do. */
    private static final int MUCH = 10;

    private RoomFindings() {}

    static List<Finding> of(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .flatMap(node -> view.status(node.id()).map(NodeStatus::volume).stream()
                        .flatMap(use -> problem(view, node, use).stream())
                        .map(problem -> new Finding(node.id().inCluster(), problem, null)))
                .toList();
    }

    private static Optional<Problem> problem(View view, NodeRecord node, VolumeUse use) {
        long disk = node.allocation().resources().diskBytes();
        long ofDisk = percent(use.usedBytes(), disk);
        long ofFileSystem = percent(use.totalBytes() - use.usableBytes(), use.totalBytes());
        if (Math.max(ofDisk, ofFileSystem) < WARNING) {
            return Optional.empty();
        }
        String held = Size.text(use.usedBytes()) + " of " + Size.text(disk) + ", " + Size.text(use.snapshotBytes())
                + " of it only in snapshots";
        String message = ofDisk >= ofFileSystem
                ? "its volume is " + ofDisk + " % full: " + held
                : "the file system of its volume is " + ofFileSystem + " % full: " + Size.text(use.usableBytes())
                        + " of " + Size.text(use.totalBytes()) + " are free; its volume holds " + held;
        return Optional.of(Problem.of(
                Math.max(ofDisk, ofFileSystem) >= ERROR ? ErrorCode.DISK_NEARLY_FULL : ErrorCode.DISK_FILLING,
                message,
                advice(view, node, use, ofDisk >= ofFileSystem)));
    }

    /** A daemon that does not run clears nothing. */
    private static Advice advice(View view, NodeRecord node, VolumeUse use, boolean volume) {
        boolean runs = view.status(node.id())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .isPresent();
        long much = (volume ? use.usedBytes() : use.totalBytes()) / 100 * MUCH;
        if (runs && use.snapshotBytes() > 0 && use.snapshotBytes() >= much) {
            return Advice.command("cluster clear-snapshots " + node.cluster() + " --node "
                    + node.id().inCluster());
        }
        return Advice.of(
                volume
                        ? "add nodes to " + node.id().datacenter() + ", so that each holds fewer rows"
                        : "make room on " + node.allocation().machine() + ", or add nodes on machines with more disk");
    }

    private static long percent(long part, long whole) {
        return whole <= 0 ? 0 : 100 * part / whole;
    }
}
