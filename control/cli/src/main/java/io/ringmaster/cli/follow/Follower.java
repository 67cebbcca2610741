package io.ringmaster.cli.follow;

import io.ringmaster.cli.screen.PlanView;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.ClusterName;
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
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Waits for what was asked for, and shows it. A server that restarts meanwhile is waited for, within the same time limit. */
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
     * Until every datacenter has brought about this version of the spec.
     *
     * @throws Failure FAILED when a plan stops, TIMEOUT when the time is over
     */
    public ClusterStatus untilSettled(long specVersion, Display display) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        String doing = "no plan was drafted yet";
        while (true) {
            Look look = look();
            if (look instanceof Look.Seen seen) {
                Optional<PlanView> picture = PlanView.of(seen.status(), specVersion);
                picture.ifPresent(display::show);
                picture.flatMap(PlanView::stopped).ifPresent(this::fail);
                if (isSettled(seen.status(), specVersion)) {
                    return seen.status();
                }
                doing = "the plans are still at work";
            } else if (look instanceof Look.Silent silent) {
                doing = silent.why();
            } else {
                throw new Failure(ExitCode.FAILED, "cluster " + cluster + " was deleted meanwhile", null);
            }
            pause(deadline, doing);
        }
    }

    /** Until every node is NORMAL, sees every other so, and there is one schema version. */
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
     * Until nothing of the cluster is left in any datacenter.
     *
     * @param allowSilentPeers do not wait for datacenters that do not answer
     */
    public void untilGone(boolean allowSilentPeers, Display display) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            Look look = look();
            String doing = "the cluster is still there";
            if (look instanceof Look.Gone) {
                Optional<String> elsewhere = elsewhere(allowSilentPeers);
                if (elsewhere.isEmpty()) {
                    return;
                }
                doing = elsewhere.get();
            }
            if (look instanceof Look.Seen seen) {
                Optional<PlanView> picture = PlanView.of(seen.status(), 0);
                picture.filter(p -> isDelete(p)).ifPresent(display::show);
                picture.filter(p -> isDelete(p)).flatMap(PlanView::stopped).ifPresent(this::fail);
            } else if (look instanceof Look.Silent silent) {
                doing = silent.why();
            }
            pause(deadline, doing);
        }
    }

    /** Why a cluster that is gone where we ask may be left in other datacenters. */
    private Optional<String> elsewhere(boolean allowSilentPeers) {
        try {
            var plans = client.plans(cluster);
            plans.items().stream()
                    .filter(p -> p.operation().equals("delete") && p.status() == PlanStatus.FAILED)
                    .findFirst()
                    .ifPresent(this::fail);
            boolean known =
                    client.clusters().items().stream().anyMatch(c -> c.cluster().equals(cluster));
            if (known) {
                return Optional.of("it is still there in another datacenter");
            }
            return plans.unanswered().stream()
                    .filter(u -> !allowSilentPeers)
                    .map(u -> u.datacenter() + " does not answer: " + u.reason())
                    .findFirst();
        } catch (UnreachableException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Until these plans are over. */
    public void untilOver(java.util.function.Function<ClusterStatus, @Nullable PlanView> choose, Display display)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            Look look = look();
            if (look instanceof Look.Gone) {
                return;
            }
            if (look instanceof Look.Seen seen) {
                PlanView picture = choose.apply(seen.status());
                if (picture == null) {
                    return;
                }
                display.show(picture);
                if (picture.plans().stream().allMatch(p -> p.status().isOver())) {
                    return;
                }
                picture.stopped().ifPresent(this::fail);
            }
            pause(deadline, look instanceof Look.Silent silent ? silent.why() : "the plan is still at work");
        }
    }

    /**
     * Until a request is over in every datacenter.
     *
     * @throws Failure FAILED when a plan stops or a datacenter refuses its part, TIMEOUT when the time is over
     */
    public void untilOver(RequestId request, Display display) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            String doing = "it is still at work";
            try {
                OperationState state = client.operations(cluster).stream()
                        .filter(s -> s.request().id().equals(request))
                        .findFirst()
                        .orElseThrow(() -> new Failure(ExitCode.FAILED, request + " is not kept any more", null));
                List<Plan> plans = state.parts().stream()
                        .flatMap(p -> Stream.ofNullable(p.part()))
                        .flatMap(p -> Stream.ofNullable(p.plan()))
                        .map(client::plan)
                        .toList();
                if (!plans.isEmpty()) {
                    PlanView picture = PlanView.of(client.status(cluster, Scope.FLEET), plans);
                    display.show(picture);
                    picture.stopped().ifPresent(this::fail);
                }
                state.parts().forEach(Follower::failIfRefused);
                if (state.hasEnded()) {
                    return;
                }
            } catch (UnreachableException e) {
                doing = String.valueOf(e.getMessage());
            } catch (RefusedException e) {
                if (e.status() < 500) {
                    throw e;
                }
                doing = e.problem().message();
            }
            pause(deadline, doing);
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

    private static boolean isDelete(PlanView picture) {
        return picture.plans().stream().anyMatch(p -> p.operation().equals("delete"));
    }

    private static boolean isSettled(ClusterStatus status, long specVersion) {
        return status.created()
                && status.datacenters().stream().allMatch(d -> d.settledSpecVersion() >= specVersion)
                && !status.datacenters().isEmpty();
    }

    private Look look() {
        try {
            return new Look.Seen(client.status(cluster, Scope.FLEET));
        } catch (RefusedException e) {
            if (e.problem().code() == ErrorCode.CLUSTER_UNKNOWN) {
                return new Look.Gone();
            }
            if (e.status() >= 500) {
                return new Look.Silent(e.problem().message());
            }
            throw e;
        } catch (UnreachableException e) {
            return new Look.Silent(String.valueOf(e.getMessage()));
        }
    }

    private void fail(Plan plan) {
        String why = plan.problem() == null ? "" : ": " + plan.problem().message();
        Advice next = plan.problem() == null ? null : plan.problem().nextStep();
        throw new Failure(
                ExitCode.FAILED,
                "plan " + plan.id() + " is " + plan.status().name().toLowerCase(java.util.Locale.ROOT) + why,
                next == null
                        ? "ringmaster plan show " + plan.id() + ", then ringmaster plan retry " + plan.id()
                                + " or apply a corrected spec"
                        : next.toString());
    }

    private void pause(long deadline, String doing) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (System.nanoTime() > deadline) {
            throw new Failure(
                    ExitCode.TIMEOUT,
                    "waited " + timeout.toSeconds() + " s; " + doing + "; the work goes on",
                    "ringmaster plan show " + cluster + " --wait");
        }
        Thread.sleep(POLL.toMillis());
    }
}
