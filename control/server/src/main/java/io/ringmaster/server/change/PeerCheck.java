package io.ringmaster.server.change;

import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Plan;
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

/** Lets the other datacenters that a change concerns try it first. */
final class PeerCheck {
    /** What a server asks of another: only your own part, and change nothing. */
    static final ChangeOptions TRY = new ChangeOptions(true, true, false, false);

    /** The same for a change that may be forced. */
    static ChangeOptions attempt(ChangeOptions options) {
        return new ChangeOptions(true, true, false, options.force());
    }

    /** What a peer said: its plans, or why not. */
    private record Opinion(List<Plan> plans, List<Problem> problems) {}

    /** @param plans of the others, where they would have one */
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
     * @param attempt answers the plans that the peer would have
     * @param harmless refusals that do not matter
     * @throws ProblemException one of them would refuse, or does not answer and the caller did not allow that
     */
    Result of(
            View view,
            Collection<DatacenterName> concerned,
            ChangeOptions options,
            Function<RingmasterClient, List<Plan>> attempt,
            ErrorCode... harmless) {
        if (options.local()) {
            return new Result(List.of(), List.of());
        }
        List<DatacenterName> others =
                concerned.stream().filter(d -> !d.equals(view.datacenter())).toList();
        var asked = fleet.askAll(view, others, peer -> opinion(peer, attempt, Set.of(harmless)));
        var refusals = new ArrayList<Problem>();
        asked.answers().forEach((name, opinion) -> opinion.problems.forEach(p -> refusals.add(of(name, p))));
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

    private static Opinion opinion(
            RingmasterClient peer, Function<RingmasterClient, List<Plan>> attempt, Set<ErrorCode> harmless) {
        try {
            return new Opinion(attempt.apply(peer), List.of());
        } catch (RefusedException e) {
            return new Opinion(
                    List.of(),
                    e.problems().stream()
                            .filter(p -> !harmless.contains(p.code()))
                            .toList());
        }
    }

    private static Problem of(DatacenterName name, Problem p) {
        return new Problem(p.code(), p.field(), "datacenter " + name + ": " + p.message(), p.nextStep());
    }

    private static Problem silent(Unanswered u) {
        return Problem.of(
                ErrorCode.PEER_UNREACHABLE,
                "datacenter " + u.datacenter() + " cannot check its part: " + u.reason(),
                "start its server and try again; or allow silent peers, then it follows when it is back");
    }
}
