package io.ringmaster.core.decide;

import io.ringmaster.core.step.DestroyVolume;
import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.ReplaceNode;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.VolumeDestruction;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Orders the destruction of a kept volume. The order is stored first, and carried out when the machine of the
 * volume is there and has it released, also after a crash of the server and after the cluster is deleted.
 */
public final class DiscardVolume {
    private final View view;
    private final AllocationId id;

    public DiscardVolume(View view, AllocationId id) {
        this.view = view;
        this.id = id;
    }

    /** A volume whose destruction was ordered before is accepted again, and nothing changes. */
    public Answer<Decision<KeptVolume>> answer() {
        Optional<Problem> used = whyUsed();
        if (used.isPresent()) {
            return Answer.refused(used.get());
        }
        Optional<ClusterRecord> record = view.clusters().values().stream()
                .filter(c -> c.volume(id).filter(v -> !v.destroyed()).isPresent())
                .findFirst();
        if (record.isEmpty() || !view.poolSeen()) {
            return Answer.refused(record.isEmpty() ? unknown() : poolUnseen());
        }
        KeptVolume volume = record.get().volume(id).orElseThrow();
        Optional<Plan> plan = planWith(record.get().name());
        if (plan.isPresent()) {
            return Answer.refused(Problem.of(
                    ErrorCode.CLUSTER_BUSY,
                    "plan " + plan.get().id() + " destroys volume " + id + " already",
                    Advice.showPlan(plan.get().id())));
        }
        Optional<Problem> other =
                volume.ordered() ? Optional.empty() : whyNot(volume).or(() -> whyNeeded(volume));
        if (other.isPresent()) {
            return Answer.refused(other.get());
        }
        KeptVolume discarded = volume.discarded(view.now());
        return Answer.accepted(new Decision<>(
                discarded,
                discarded.equals(volume)
                        ? List.of()
                        : List.of(new Change.Put(record.get().withVolume(discarded)))));
    }

    /** Whether a node has the volume, or had it and its replacement has not joined. */
    private Optional<Problem> whyUsed() {
        for (NodeRecord node : view.nodes().values()) {
            if (node.allocation().id().equals(id)) {
                return Optional.of(
                        inUse("is the volume of " + node.id(), node.id().cluster()));
            }
            boolean mayReturn = !node.joined();
            if (mayReturn && node.previousAllocations().stream().anyMatch(a -> a.id().equals(id))) {
                return Optional.of(inUse(
                        "was the volume of " + node.id() + ", whose replacement has not joined yet",
                        node.id().cluster()));
            }
        }
        return Optional.ofNullable(view.allocations().get(id))
                .filter(s -> s.status() != AllocationState.Status.RELEASED && unrecorded())
                .map(s -> inUse(
                        "is " + s.status() + " on " + s.allocation().machine(),
                        s.allocation().node().cluster()));
    }

    /** Only what the pool has released, exactly as it is recorded, or what is on a machine that is away. */
    private Optional<Problem> whyNot(KeptVolume volume) {
        Optional<String> why = volume.allocation() == null
                ? Optional.of("its place is in no record")
                : VolumeDestruction.isMissing(view, volume)
                        ? Optional.of("the pool does not have it, although its machine is there")
                        : VolumeDestruction.isAway(view, volume)
                                ? Optional.empty()
                                : VolumeDestruction.whyNot(view, volume);
        return why.map(w -> Problem.of(
                ErrorCode.OPERATION_UNSAFE, "volume " + id + " is not destroyed: " + w, Advice.command("volume list")));
    }

    /** Rows that the replacement could not stream from others may be on this volume alone until it is repaired. */
    private Optional<Problem> whyNeeded(KeptVolume volume) {
        Allocation place = volume.allocation();
        NodeRecord node = place == null ? null : view.nodes().get(place.node());
        if (node == null) {
            return Optional.empty();
        }
        Optional<Plan> plan = view.plans().values().stream()
                .filter(p -> p.cluster().equals(node.cluster()) && !p.status().isOver())
                .filter(p -> openSteps(p).anyMatch(s -> isReplaced(s, node.id())))
                .findFirst();
        if (plan.isPresent()) {
            return Optional.of(Problem.of(
                    ErrorCode.OPERATION_UNSAFE,
                    "volume " + id + " may be the last copy of rows of " + node.id() + " until plan "
                            + plan.get().id() + " is complete",
                    Advice.showPlan(plan.get().id())));
        }
        return node.owesRepair()
                ? Optional.of(Problem.of(
                        ErrorCode.OPERATION_UNSAFE,
                        "volume " + id + " may be the last copy of rows of " + node.id() + ", which owes a repair",
                        Advice.listNodes(node.cluster())))
                : Optional.empty();
    }

    private static boolean isReplaced(StepState step, NodeId node) {
        return Steps.as(step, ReplaceNode.class)
                        .filter(s -> s.node().equals(node))
                        .isPresent()
                || Steps.as(step, EvacuateNode.class)
                        .filter(s -> s.node().equals(node))
                        .isPresent();
    }

    private static Stream<StepState> openSteps(Plan plan) {
        return plan.phases().stream().flatMap(phase -> phase.steps().stream()).filter(s -> !s.status()
                .isOver());
    }

    private boolean unrecorded() {
        return view.clusters().values().stream().noneMatch(c -> c.volume(id).isPresent());
    }

    private Problem inUse(String how, ClusterName cluster) {
        return Problem.of(
                ErrorCode.OPERATION_UNSAFE,
                id + " " + how + "; only a volume that no node uses can be destroyed",
                Advice.listNodes(cluster));
    }

    private Problem poolUnseen() {
        return Problem.of(ErrorCode.POOL_UNAVAILABLE, view.poolUnseen(), "try again in a moment");
    }

    private Problem unknown() {
        AllocationState state = view.allocations().get(id);
        if (state == null) {
            return new Problem(
                    ErrorCode.VOLUME_UNKNOWN,
                    "volume",
                    "no volume " + id + " is kept in " + view.datacenter(),
                    Advice.command("volume list"));
        }
        NodeId node = state.allocation().node();
        return Problem.of(
                ErrorCode.VOLUME_UNKNOWN,
                "no record of " + view.datacenter() + " names volume " + id + " of " + node + " on "
                        + state.allocation().machine(),
                Advice.of("try again in a moment; if the records of " + node.cluster()
                        + " are lost, remove the volume on its machine"));
    }

    private Optional<Plan> planWith(ClusterName cluster) {
        return view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .filter(p -> openSteps(p)
                        .flatMap(s -> Steps.as(s, DestroyVolume.class).stream())
                        .anyMatch(s -> s.volume().equals(id)))
                .findFirst();
    }
}
