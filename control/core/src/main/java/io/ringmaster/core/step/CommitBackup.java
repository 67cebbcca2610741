package io.ringmaster.core.step;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ends a backup: waits until the nodes of every datacenter have sent their data, then one node here writes the manifest
 * that makes a backup of it. While that node does not answer, another one does it: both write the same.
 *
 * @param backup the id of the backup, which is a parameter of its request
 * @param transferArgs the arguments of the transfer, see {@link NodeTask#args}
 */
public record CommitBackup(ClusterName cluster, String backup, Map<String, String> transferArgs) implements Step {
    /** The name of the step, and of the phase that holds it alone. */
    public static final String NAME = "commit";

    /** The parameter of the request with the id of the backup. */
    public static final String ID = "id";

    public CommitBackup {
        transferArgs = Map.copyOf(transferArgs);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        var write = new AnyNodeTransfer(cluster, NodeTask.Kind.BACKUP_COMMIT, transferArgs);
        if (AnyNodeTransfer.isAsked(memory)) {
            return write.next(view, budget, memory);
        }
        Optional<Request> request = view.requests().values().stream()
                .map(RequestRecord::request)
                .filter(r ->
                        r.cluster().equals(cluster) && backup.equals(r.params().get(ID)))
                .findFirst();
        if (request.isEmpty()) {
            return givenUp("the request of backup " + backup + " is no longer in the store");
        }
        for (DatacenterName other :
                DatacenterOrder.of(view, view.targetSpec(cluster).orElseThrow())) {
            Optional<Verdict> waits = other.equals(view.datacenter())
                    ? Optional.empty()
                    : unlessSent(view, other, OperationLock.part(view, other, request.get()));
            if (waits.isPresent()) {
                return waits.get();
            }
        }
        return write.next(view, budget, memory);
    }

    private Optional<Verdict> unlessSent(View view, DatacenterName other, Optional<RequestPart> part) {
        Optional<String> silence = view.silence(other);
        if (part.isEmpty() || (!part.get().state().isOver() && silence.isPresent())) {
            return Optional.of(new Verdict.Wait(silence.orElse(other + " does not know of this request yet")));
        }
        return switch (part.get().state()) {
            case DONE, NOT_CONCERNED -> Optional.empty();
            case WAITING, PLANNED ->
                Optional.of(new Verdict.Wait(
                        other + " sends its part: " + part.get().reason()));
            case ENDED, REFUSED ->
                Optional.of(
                        givenUp(other + " has not sent its part: " + part.get().reason()));
        };
    }

    private Verdict givenUp(String why) {
        return new Verdict.GivenUp(Problem.of(
                ErrorCode.TASK_FAILED,
                why,
                Advice.operationStatus(cluster).prefix("see ").suffix(", then request the backup again")));
    }

    /** Data without the manifest is no backup. */
    @Override
    public Verdict forced(View view) {
        return new Verdict.Failed(
                List.of(),
                Problem.of(
                        ErrorCode.PLAN_STATE,
                        "backup " + backup + " does not exist before its manifest is written",
                        Advice.of("abort the plan, then request the backup again")));
    }
}
