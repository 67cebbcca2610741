package io.ringmaster.core.decide;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Operations;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Decides on a requested operation: a refusal, or a request and this datacenter's part of it. Changes nothing itself.
 */
public record SubmitOperation(
        View view, String operation, ClusterName cluster, Map<String, String> params, String who, String why) {
    public Answer<Decision<SubmitResult>> answer() {
        Optional<Operation> found = Operations.named(operation);
        if (found.isEmpty()) {
            return Answer.refused(Problem.field(
                    ErrorCode.OPERATION_UNKNOWN,
                    "operation",
                    "'" + operation + "' is not an operation, allowed: "
                            + Operations.all().stream().map(Operation::name).toList()));
        }
        Optional<LockScope> lockScope = found.get().lockScope();
        if (lockScope.isEmpty()) {
            return Answer.refused(Problem.of(
                    ErrorCode.REQUEST_INVALID,
                    operation + " follows from the spec of the cluster and cannot be requested separately",
                    Advice.command("cluster apply")
                            .and(" or ", Advice.command("cluster delete " + cluster))
                            .suffix("; PUT or DELETE /api/v1/clusters/" + cluster)));
        }
        List<Problem> wrong = ParameterCheck.problems(found.get(), params, OperationLock.ALLOW_SILENT_PEERS);
        if (!wrong.isEmpty()) {
            return Answer.refused(wrong);
        }
        return duplicate(found.get())
                .<Answer<Decision<SubmitResult>>>map(Answer::refused)
                .orElseGet(() -> submit(found.get(), lockScope.get()));
    }

    private Answer<Decision<SubmitResult>> submit(Operation found, LockScope lockScope) {
        Request request = new Request(
                nextId(),
                cluster,
                view.targetSpec(cluster).map(SpecRecord::incarnation).orElse(null),
                operation,
                lockScope,
                found.complete(view, params),
                who,
                why,
                view.now(),
                view.targetSpec(cluster).map(s -> DatacenterOrder.of(view, s)).orElse(List.of()));
        return OperationProgress.draft(view, found, request).then(drafted -> {
            RequestPart part = drafted.record().part();
            if (part.state() == RequestPart.State.REFUSED) {
                return Answer.refused(drafted.problems());
            }
            return Answer.accepted(new Decision<>(new SubmitResult(request, drafted.plan()), drafted.changes()));
        });
    }

    /**
     * The same request is in progress already, here or elsewhere. One whose work is done but for the repair is not: the
     * node that it replaced may be lost again.
     */
    private Optional<Problem> duplicate(Operation found) {
        return OperationLock.known(view, cluster).stream()
                .filter(r -> r.operation().equals(operation))
                .filter(r -> given(found, r).equals(params))
                .filter(r -> OperationLock.part(view, view.datacenter(), r)
                        .map(p -> !p.state().isOver())
                        .orElse(true))
                .filter(r -> !OperationLock.isRepairing(view, r))
                .findFirst()
                .map(r -> Problem.of(
                        ErrorCode.CLUSTER_BUSY, r.title() + " already does this", Advice.operationStatus(cluster)));
    }

    /** The parameters of a request without those that a server completed. */
    private static Map<String, String> given(Operation operation, Request request) {
        Map<String, String> given = new TreeMap<>(request.params());
        given.keySet().removeIf(name -> !ParameterCheck.isKnown(operation, name, OperationLock.ALLOW_SILENT_PEERS));
        return given;
    }

    /** Higher than every known id, so that every known request comes before it in the lock order. */
    private RequestId nextId() {
        List<RequestId> known = new ArrayList<>(view.requests().keySet());
        view.peers().values().stream()
                .flatMap(s -> Stream.ofNullable(s.last()))
                .flatMap(r -> r.clusters().stream())
                .map(ClusterPart::requests)
                .flatMap(List::stream)
                .map((RequestRecord r) -> r.request().id())
                .forEach(known::add);
        LongStream forgotten = view.clusters().values().stream()
                .flatMap(c -> c.forgottenRequests().values().stream())
                .mapToLong(Long::longValue);
        long last = LongStream.concat(forgotten, known.stream().mapToLong(RequestId::number))
                .max()
                .orElse(0);
        return new RequestId(view.datacenter(), last + 1);
    }
}
