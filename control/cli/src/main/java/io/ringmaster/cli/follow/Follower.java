package io.ringmaster.cli.follow;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Formats;
import io.ringmaster.cli.screen.Invocation;
import io.ringmaster.cli.screen.OperationNames;
import io.ringmaster.cli.screen.PlanView;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.OperationState;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import io.ringmaster.wire.client.UnreachableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Waits for plans and shows their progress. A server that restarts meanwhile does not end the wait; the time limit
 * does.
 */
public final class Follower {
    private static final Duration POLL = Duration.ofSeconds(1);

    private final RingmasterClient client;
    private final ClusterName cluster;
    private final Duration timeout;

    public Follower(RingmasterClient client, ClusterName cluster, Duration timeout) {
        this.client = client;
        this.cluster = cluster;
        this.timeout = timeout;
    }

    private sealed interface Look {
        record Seen(ClusterStatus status) implements Look {}

        record Gone() implements Look {}

        record Silent(String why) implements Look {}
    }

    /**
     * Waits until every datacenter has settled on this version of the spec, and one that it removes has no node left.
     *
     * @param allowSilentPeers whether datacenters that do not answer are left out
     * @throws Failure FAILED when a plan stops, TIMEOUT when the time is over
     */
    public ClusterStatus untilSettled(long specVersion, boolean allowSilentPeers, Display display)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        String doing = "no plan exists yet";
        while (true) {
            Look look = look();
            if (look instanceof Look.Seen seen) {
                Optional<PlanView> view = PlanView.of(seen.status(), specVersion);
                view.ifPresent(display::show);
                view.flatMap(PlanView::stopped).ifPresent(this::fail);
                List<ClusterStatus.Part> awaited = seen.status().datacenters().stream()
                        .filter(d -> !allowSilentPeers || d.silence() == null)
                        .toList();
                if (seen.status().created() && isSettled(awaited, specVersion)) {
                    return seen.status();
                }
                doing = leaving(awaited).orElse("the plans are still running");
            } else if (look instanceof Look.Silent silent) {
                doing = silent.why();
            } else {
                throw new Failure(ExitCode.FAILED, "cluster " + cluster + " was deleted meanwhile", null);
            }
            pause(deadline, doing);
        }
    }

    /** Waits until every node is NORMAL and sees every node NORMAL, with one schema version. */
    public ClusterStatus untilWhole(Display display) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            Look look = look();
            if (look instanceof Look.Seen seen) {
                PlanView.of(seen.status(), 0).ifPresent(display::show);
                if (isWhole(seen.status())) {
                    return seen.status();
                }
            }
            pause(
                    deadline,
                    look instanceof Look.Silent silent ? silent.why() : "not every node sees every node NORMAL");
        }
    }

    private static boolean isWhole(ClusterStatus status) {
        return status.normal() == status.nodes()
                && status.schemaVersions().size() == 1
                && status.datacenters().stream()
                        .flatMap(d -> d.nodes().stream())
                        .allMatch(n -> n.seesNormal() != null && n.seesNormal() == status.nodes());
    }

    /**
     * Waits until the cluster is gone from every datacenter, with the volumes that are destroyed.
     *
     * @param earlier plans that were over before the delete was asked for
     * @param allowSilentPeers whether datacenters that do not answer are left out
     */
    public void untilGone(Set<PlanId> earlier, boolean allowSilentPeers, Display display) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            Look look = look();
            String doing = "the cluster still exists";
            if (look instanceof Look.Gone) {
                Optional<String> elsewhere = elsewhere(earlier, allowSilentPeers, display);
                if (elsewhere.isEmpty()) {
                    return;
                }
                doing = elsewhere.get();
            }
            if (look instanceof Look.Seen seen) {
                Optional<PlanView> view = PlanView.of(seen.status(), p -> isDelete(p, earlier));
                view.ifPresent(display::show);
                view.flatMap(PlanView::stopped).ifPresent(p -> fail(p, "request the delete again"));
            } else if (look instanceof Look.Silent silent) {
                doing = silent.why();
            }
            pause(deadline, doing);
        }
    }

    /** Why a cluster without nodes in the datacenter of this server may not be gone: volumes, or other datacenters. */
    private Optional<String> elsewhere(Set<PlanId> earlier, boolean allowSilentPeers, Display display) {
        try {
            var plans = client.plans(cluster);
            List<Plan> deletes =
                    plans.items().stream().filter(p -> isDelete(p, earlier)).toList();
            Optional<PlanView> view = PlanView.newest(deletes, Map.of(), Instant.now());
            view.flatMap(PlanView::stopped).ifPresent(p -> fail(p, PROGRAM + " volume list, which shows what is left"));
            if (view.isPresent() && !view.get().isComplete()) {
                display.show(view.get());
                return Optional.of(unfinished(view.get()));
            }
            boolean known =
                    client.clusters().items().stream().anyMatch(c -> c.cluster().equals(cluster));
            if (known) {
                return Optional.of("it still exists in another datacenter");
            }
            return plans.unanswered().stream()
                    .filter(u -> !allowSilentPeers)
                    .map(u -> u.datacenter() + " does not answer: " + u.reason())
                    .findFirst();
        } catch (UnreachableException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (RefusedException e) {
            return Optional.of(ifBusy(e));
        }
    }

    /**
     * Waits until plans are over; those of a delete outlive their cluster.
     *
     * @param look shows them at this moment
     */
    public void untilOver(Supplier<PlanView> look, Display display) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            String doing = "the plan is still running";
            try {
                PlanView view = look.get();
                display.show(view);
                if (view.plans().stream().allMatch(p -> p.status().isOver())) {
                    return;
                }
                view.stopped().ifPresent(this::fail);
                doing = unfinished(view);
            } catch (UnreachableException e) {
                doing = String.valueOf(e.getMessage());
            } catch (RefusedException e) {
                doing = ifBusy(e);
            }
            pause(deadline, doing);
        }
    }

    /**
     * Waits until a request is over in every datacenter.
     *
     * @throws Failure FAILED when a plan stops or a datacenter refuses its part, TIMEOUT when the time is over
     */
    public void untilOver(RequestId request, Display display) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            String doing = "the request is still running";
            try {
                OperationState state = client.operations(cluster).stream()
                        .filter(s -> s.request().id().equals(request))
                        .findFirst()
                        .orElseThrow(() -> new Failure(ExitCode.FAILED, request + " is not stored any longer", null));
                List<Plan> plans = state.parts().stream()
                        .flatMap(p -> Stream.ofNullable(p.part()))
                        .flatMap(p -> Stream.ofNullable(p.plan()))
                        .map(client::plan)
                        .toList();
                if (!plans.isEmpty()) {
                    PlanView view = view(client, cluster, plans);
                    display.show(view);
                    view.stopped().ifPresent(this::fail);
                }
                state.parts().forEach(Follower::failIfRefused);
                if (state.hasEnded()) {
                    return;
                }
            } catch (UnreachableException e) {
                doing = String.valueOf(e.getMessage());
            } catch (RefusedException e) {
                doing = ifBusy(e);
            }
            pause(deadline, doing);
        }
    }

    /** Why a server cannot answer now; throws what it refuses for good. */
    private static String ifBusy(RefusedException refused) {
        if (refused.status() < 500) {
            throw refused;
        }
        return refused.problem().message();
    }

    /** A plan that is not complete; one that waits for a user goes first. */
    private static String unfinished(PlanView view) {
        return view.plans().stream()
                .filter(p -> p.status() != PlanStatus.COMPLETE)
                .min(Comparator.comparing(p -> p.status() != PlanStatus.PAUSED))
                .map(p -> "plan " + p.id() + " is " + word(p)
                        + (p.status() == PlanStatus.PAUSED
                                ? ": " + PROGRAM + " plan resume " + p.id() + " continues it"
                                : ""))
                .orElse("the plan is still running");
    }

    private static String word(Plan plan) {
        return plan.status().name().toLowerCase(Locale.ROOT);
    }

    /** Plans with the states of their nodes; without these when the cluster has none any longer. */
    public static PlanView view(RingmasterClient client, ClusterName cluster, List<Plan> plans) {
        try {
            return PlanView.of(client.status(cluster, Scope.FLEET), plans);
        } catch (RefusedException e) {
            if (e.problem().code() == ErrorCode.CLUSTER_UNKNOWN) {
                return new PlanView(plans, Map.of(), Instant.now());
            }
            throw e;
        }
    }

    private static void failIfRefused(OperationState.Part part) {
        if (part.part() != null && part.part().state() == RequestPart.State.REFUSED) {
            throw new Failure(
                    ExitCode.FAILED,
                    part.datacenter() + " refuses its part: " + part.part().reason(),
                    null);
        }
    }

    private static boolean isDelete(Plan plan, Set<PlanId> earlier) {
        return plan.operation().equals(OperationNames.DELETE) && !earlier.contains(plan.id());
    }

    /** The datacenters that the spec no longer names and that still have nodes. */
    private static Optional<String> leaving(List<ClusterStatus.Part> datacenters) {
        return datacenters.stream()
                .filter(ClusterStatus.Part::leaves)
                .map(d -> "the leaving " + d.datacenter() + " still has "
                        + Formats.count(d.nodes().size(), "node")
                        + (d.silence() == null ? "" : " and does not answer"))
                .reduce((a, b) -> a + "; " + b);
    }

    private static boolean isSettled(List<ClusterStatus.Part> datacenters, long specVersion) {
        return !datacenters.isEmpty()
                && leaving(datacenters).isEmpty()
                && datacenters.stream().allMatch(d -> d.settledSpecVersion() >= specVersion);
    }

    private Look look() {
        try {
            return new Look.Seen(client.status(cluster, Scope.FLEET));
        } catch (RefusedException e) {
            if (e.problem().code() == ErrorCode.CLUSTER_UNKNOWN) {
                return new Look.Gone();
            }
            return new Look.Silent(ifBusy(e));
        } catch (UnreachableException e) {
            return new Look.Silent(String.valueOf(e.getMessage()));
        }
    }

    private void fail(Plan plan) {
        fail(plan, "apply a corrected spec");
    }

    /** @param instead what to do when the plan itself does not go on */
    private static void fail(Plan plan, String instead) {
        String why = plan.problem() == null ? "" : ": " + plan.problem().message();
        Advice next = plan.problem() == null ? null : plan.problem().nextStep();
        String retry = plan.status() == PlanStatus.FAILED ? ", then " + PROGRAM + " plan retry " + plan.id() : "";
        throw new Failure(
                ExitCode.FAILED,
                "plan " + plan.id() + " is " + word(plan) + why,
                next == null
                        ? PROGRAM + " plan show " + plan.id() + retry + " or " + instead
                        : Invocation.wording(next));
    }

    private void pause(long deadline, String doing) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (System.nanoTime() > deadline) {
            throw new Failure(
                    ExitCode.TIMEOUT,
                    "waited " + timeout.toSeconds() + " s; " + doing + "; only the wait has ended",
                    PROGRAM + " plan show " + cluster + " --wait");
        }
        Thread.sleep(POLL.toMillis());
    }
}
