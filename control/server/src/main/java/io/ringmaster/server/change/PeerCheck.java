package io.ringmaster.server.change;

import io.ringmaster.core.plan.PlanDigests;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.Unanswered;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks a change with the other datacenters that it affects, before it is made. */
final class PeerCheck {
    /** Options of a check at another server: only its own part, without a change. */
    static final ChangeOptions CHECK = new ChangeOptions(true, true, false, false);

    /** The same, for a change that may be forced. */
    static ChangeOptions check(ChangeOptions options) {
        return new ChangeOptions(true, true, false, options.force());
    }

    /** The result of one peer: its plans, or its refusals. */
    private record Verdict(List<Plan> plans, List<Problem> problems) {}

    /** @param plans the plans that the other datacenters would draft */
    record Result(List<Plan> plans, List<Unanswered> unanswered) {
        List<Plan> and(@Nullable Plan own) {
            return Stream.concat(Stream.ofNullable(own), plans.stream()).toList();
        }
    }

    private final FleetReader fleet;

    PeerCheck(FleetReader fleet) {
        this.fleet = fleet;
    }

    /**
     * @param check returns the plans that the peer would draft
     * @param ignored codes of refusals that do not count
     * @throws ProblemException a peer refuses, or does not answer although the options require it
     */
    Result of(
            View view,
            Collection<DatacenterName> concerned,
            ChangeOptions options,
            Function<RingmasterClient, List<Plan>> check,
            ErrorCode... ignored) {
        if (options.local()) {
            return new Result(List.of(), List.of());
        }
        List<DatacenterName> others =
                concerned.stream().filter(d -> !d.equals(view.datacenter())).toList();
        var asked = fleet.askAll(view, others, peer -> verdict(peer, check, Set.of(ignored)));
        var refusals = new ArrayList<Problem>();
        asked.answers().forEach((name, verdict) -> verdict.problems.forEach(p -> refusals.add(of(name, p))));
        if (!options.allowSilentPeers()) {
            asked.unanswered().forEach(u -> refusals.add(silent(u)));
        }
        if (!refusals.isEmpty()) {
            throw ProblemException.of(refusals);
        }
        List<Plan> plans =
                asked.answers().values().stream().flatMap(o -> o.plans.stream()).toList();
        return new Result(plans, asked.unanswered());
    }

    private static Verdict verdict(
            RingmasterClient peer, Function<RingmasterClient, List<Plan>> check, Set<ErrorCode> ignored) {
        try {
            return new Verdict(check.apply(peer), List.of());
        } catch (RefusedException e) {
            return new Verdict(
                    List.of(),
                    e.problems().stream()
                            .filter(p -> !ignored.contains(p.code()))
                            .toList());
        }
    }

    /** @throws ProblemException the plans of all datacenters are not those that the caller accepted */
    static void requirePlans(ClusterName cluster, List<Plan> plans, ChangeOptions options) {
        if (options.ifPlan() != null && !options.ifPlan().equals(PlanDigests.of(plans))) {
            throw ProblemException.of(PlanDigests.changed(cluster));
        }
    }

    /** The digest of this datacenter's draft that the controller checks again, or null if the caller accepts any. */
    static @Nullable PlanDigest own(@Nullable Plan draft, ChangeOptions options) {
        return options.ifPlan() == null
                ? null
                : PlanDigests.of(Stream.ofNullable(draft).toList());
    }

    private static Problem of(DatacenterName name, Problem p) {
        return new Problem(p.code(), p.field(), "datacenter " + name + ": " + p.message(), p.nextStep());
    }

    private static Problem silent(Unanswered u) {
        return Problem.of(
                ErrorCode.PEER_UNREACHABLE,
                "datacenter " + u.datacenter() + " cannot check its part: " + u.reason(),
                "start its server and try again, or allow silent peers: the datacenter then follows when it is back");
    }
}
