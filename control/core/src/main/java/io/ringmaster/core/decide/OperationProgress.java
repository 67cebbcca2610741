package io.ringmaster.core.decide;

import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Operations;
import io.ringmaster.core.operation.Planned;
import io.ringmaster.core.step.AcquireLock;
import io.ringmaster.core.step.CommitBackup;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Drafts this datacenter's part of each requested operation and follows its plan. */
final class OperationProgress {
    private OperationProgress() {}

    /**
     * @param problems why the request is refused here; empty when it is not
     * @param changes everything to store, the record included
     */
    record Drafted(RequestRecord record, @Nullable Plan plan, List<Problem> problems, List<Change> changes) {}

    /**
     * The changes that follow from the known requests: plans for parts that have none yet, and progress of the other
     * parts.
     */
    static List<Change> changes(View view) {
        for (RequestRecord record : view.requests().values()) {
            if (record.part().state() == State.WAITING) {
                List<Change> drafted = waiting(view, record);
                if (!drafted.isEmpty()) {
                    return drafted; // one at a time: each plan takes the next number
                }
            }
        }
        List<Change> changes = new ArrayList<>();
        view.requests().values().stream()
                .filter(r -> r.part().state() == State.PLANNED)
                .forEach(r -> progress(view, r).ifPresent(p -> changes.add(put(new RequestRecord(r.request(), p)))));
        return changes;
    }

    private static List<Change> waiting(View view, RequestRecord record) {
        Request request = record.request();
        if (!view.poolSeen()) {
            return List.of();
        }
        if (!isSameCluster(view, request)) {
            String reason = request.cluster() + " was deleted meanwhile";
            return List.of(put(new RequestRecord(request, part(view, request, State.ENDED, null, reason))));
        }
        Optional<Operation> operation = Operations.named(request.operation());
        if (operation.isEmpty()) {
            return List.of(put(new RequestRecord(
                    request,
                    part(
                            view,
                            request,
                            State.REFUSED,
                            null,
                            "this server does not know the operation " + request.operation()))));
        }
        Answer<Drafted> answer = draft(view, operation.get(), request);
        return answer instanceof Answer.Accepted<Drafted> accepted
                ? accepted.value().changes()
                : List.of(put(new RequestRecord(
                        request,
                        part(
                                view,
                                request,
                                State.REFUSED,
                                null,
                                lines(((Answer.Refused<Drafted>) answer).problems())))));
    }

    /** Whether the cluster of this name is still the one that the request was made for. */
    private static boolean isSameCluster(View view, Request request) {
        ClusterName cluster = request.cluster();
        return view.clusters().containsKey(cluster)
                && !view.clusters().get(cluster).deleting()
                && view.targetSpec(cluster)
                        .map(SpecRecord::incarnation)
                        .equals(Optional.ofNullable(request.incarnation()));
    }

    /**
     * The plan of a request here. A request that the operation cannot plan gives a REFUSED part; a plan that lint finds
     * unsafe is refused.
     */
    static Answer<Drafted> draft(View view, Operation operation, Request request) {
        Planned planned = PlanBuilder.plan(view, operation, request.cluster(), request.params());
        if (planned instanceof Planned.Refused refused) {
            return Answer.accepted(
                    without(view, request, State.REFUSED, lines(refused.problems()), refused.problems()));
        }
        if (planned instanceof Planned.NotConcerned not) {
            return Answer.accepted(without(view, request, State.NOT_CONCERNED, not.reason(), List.of()));
        }
        Planned.Draft draft = (Planned.Draft) planned;
        List<Phase> phases = new ArrayList<>();
        phases.add(PlanBuilder.phase(
                AcquireLock.NAME,
                new AcquireLock(request.id()),
                "waits until no conflicting operation is in progress in any datacenter"));
        phases.addAll(draft.phases());
        Planned.Draft whole = new Planned.Draft(draft.specVersion(), draft.changes(), phases, draft.notes());
        return PlanBuilder.accept(
                        view,
                        List.of(),
                        operation,
                        request.cluster(),
                        request.params(),
                        request.who(),
                        request.id(),
                        whole)
                .then(decision -> {
                    Plan plan = decision.result();
                    RequestRecord record =
                            new RequestRecord(request, part(view, request, State.PLANNED, plan.id(), describe(plan)));
                    List<Change> changes = new ArrayList<>(decision.changes());
                    changes.add(put(record));
                    return Answer.accepted(new Drafted(record, plan, List.of(), changes));
                });
    }

    private static Drafted without(View view, Request request, State state, String reason, List<Problem> problems) {
        RequestRecord record = new RequestRecord(request, part(view, request, state, null, reason));
        return new Drafted(record, null, problems, List.of(put(record)));
    }

    /** The progress of the part by its plan, if it changed. */
    private static Optional<RequestPart> progress(View view, RequestRecord record) {
        RequestPart part = record.part();
        Plan plan = view.plans().get(Objects.requireNonNull(part.plan()));
        State state = plan == null ? State.ENDED : state(plan);
        String reason = plan == null ? "its plan is no longer kept" : describe(plan);
        boolean repairs = plan != null && onlyRepairs(plan);
        boolean same = state == part.state() && reason.equals(part.reason()) && repairs == part.repairs();
        return same
                ? Optional.empty()
                : Optional.of(new RequestPart(state, part.plan(), view.now(), reason, repairs, part.overIn()));
    }

    private static State state(Plan plan) {
        return switch (plan.status()) {
            case ABORTED, SUPERSEDED -> hasCommitted(plan) ? State.DONE : State.ENDED;
            case COMPLETE -> State.DONE;
            case RUNNING, PAUSED, FAILED -> State.PLANNED;
        };
    }

    /** Whether it made a backup. What an abort stopped then is the deletion of older ones. */
    private static boolean hasCommitted(Plan plan) {
        return plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .anyMatch(s -> Steps.is(s, CommitBackup.class) && s.status() == StepState.Status.DONE);
    }

    private static boolean onlyRepairs(Plan plan) {
        if (plan.status().isOver()) {
            return false;
        }
        List<StepState> open = plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> !s.status().isOver())
                .toList();
        return !open.isEmpty() && open.stream().allMatch(s -> Steps.is(s, RepairRanges.class));
    }

    private static String describe(Plan plan) {
        boolean waits = plan.status() == PlanStatus.RUNNING
                && plan.phases().stream()
                        .filter(p -> p.name().equals(AcquireLock.NAME))
                        .flatMap(p -> p.steps().stream())
                        .anyMatch(s -> !s.status().isOver());
        String word =
                waits ? "waits for the lock" : "is " + plan.status().name().toLowerCase(Locale.ROOT);
        return "plan " + plan.id() + " " + word
                + (plan.problem() == null ? "" : ": " + plan.problem().message());
    }

    /** The next part of a request here. It keeps where else the request is over. */
    static RequestPart part(View view, Request request, State state, @Nullable PlanId plan, String reason) {
        RequestRecord before = view.requests().get(request.id());
        return new RequestPart(
                state,
                plan,
                view.now(),
                reason,
                false,
                before == null ? Set.of() : before.part().overIn());
    }

    private static String lines(List<Problem> problems) {
        return String.join("; ", problems.stream().map(Problem::line).toList());
    }

    private static Change put(RequestRecord record) {
        return new Change.Put(record);
    }
}
