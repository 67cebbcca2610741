package io.ringmaster.simulator.invariant;

import io.ringmaster.core.decide.PlanBuilder;
import io.ringmaster.core.view.Observation;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.simulator.datacenter.Datacenter;
import io.ringmaster.simulator.world.World;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Exceptions that the controller caught and turned into a failed step, a refusal, or a plan that cannot be made: none
 * is right, although the controller survives them.
 */
public final class CaughtExceptions {
    static final String INVARIANT = "no-exception";

    private CaughtExceptions() {}

    /** @throws Violation for the first exception in the plans and requests of a datacenter's store, and its reports */
    static void check(World world, Datacenter datacenter) {
        DatacenterName name = datacenter.name();
        world.records(name, PlanRecord.class).forEach(record -> check(record.plan()));
        Stream<String> refused = world.records(name, RequestRecord.class).stream()
                .map(record -> record.part().reason());
        Stream<String> unplanned = datacenter.leaderView().stream()
                .flatMap(view -> view.peers().values().stream())
                .map(Observation::last)
                .filter(Objects::nonNull)
                .flatMap(report -> report.clusters().stream())
                .flatMap(part -> Stream.ofNullable(part.unplanned()));
        Optional<String> found = Stream.concat(refused, unplanned)
                .filter(reason -> reason.contains(PlanBuilder.UNPLANNABLE))
                .findFirst();
        if (found.isPresent()) {
            throw new Violation(INVARIANT, found.get());
        }
    }

    /** @throws Violation if one of these problems of a refusal is an exception */
    public static void check(Collection<Problem> problems) {
        problems.forEach(CaughtExceptions::check);
    }

    private static void check(Plan plan) {
        Stream.ofNullable(plan.problem()).forEach(CaughtExceptions::check);
        plan.phases().stream()
                .flatMap(phase -> phase.steps().stream())
                .map(StepState::problem)
                .filter(Objects::nonNull)
                .forEach(CaughtExceptions::check);
    }

    private static void check(Problem problem) {
        if (problem.code() == ErrorCode.INTERNAL) {
            throw new Violation(INVARIANT, problem.line());
        }
    }
}
