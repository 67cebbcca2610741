package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.follow.Display;
import io.ringmaster.cli.follow.Follower;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.LoadScreen;
import io.ringmaster.cli.screen.PlanScreen;
import io.ringmaster.cli.screen.PlanView;
import io.ringmaster.cli.session.Durations;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.client.RingmasterClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster plan}: shows plans and steers them. */
@Command(
        name = "plan",
        description = "Show plans and steer them.",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "PLAN is a plan such as dc1-7, or a cluster for its newest plans in all datacenters.",
            "Examples:",
            "  ringmaster plan show rides --wait",
            "  ringmaster plan pause dc1-7",
            "  ringmaster plan force-complete dc1-7 --step \"dc1 node-0\""
        })
public final class PlanCommand {
    private static final int LISTED = 20;

    @ParentCommand
    private SessionSource root;

    @Command(
            name = "list",
            description = "List the plans of all datacenters, newest first.",
            footer = {"", "Examples:", "  ringmaster plan list --cluster rides", "  ringmaster plan list --all"})
    void list(
            @Option(names = "--all", description = "All stored plans; default: unfinished plans and the last 20.")
                    boolean all,
            @Option(names = "--cluster", paramLabel = "CLUSTER", description = "Only plans of this cluster.") @Nullable
                    ClusterName cluster) {
        Session session = root.session();
        var kept = session.client().plans(cluster);
        var plans = all ? kept : new FleetList<>(newest(kept.items()), kept.unanswered());
        session.print(
                plans,
                () -> PlanScreen.list(plans, Instant.now(), session.console().width()));
    }

    private static List<Plan> newest(List<Plan> plans) {
        List<Plan> byTime =
                plans.stream().sorted(Comparator.comparing(Plan::createdAt)).toList();
        int old = Math.max(0, byTime.size() - LISTED);
        return IntStream.range(0, byTime.size())
                .filter(i -> i >= old || !byTime.get(i).status().isOver())
                .mapToObj(byTime::get)
                .toList();
    }

    @Command(
            name = "show",
            description = "Show phases and steps, with the reason and start of each wait.",
            footer = {"", "Examples:", "  ringmaster plan show rides", "  ringmaster plan show dc1-7 --wait"})
    void show(
            @Parameters(paramLabel = "PLAN") String plan,
            @Option(names = "--wait", description = "Show the progress until the plan is over.") boolean wait,
            @Option(
                            names = "--timeout",
                            paramLabel = "TIME",
                            defaultValue = "30m",
                            converter = Durations.class,
                            description = "How long --wait waits (default: ${DEFAULT-VALUE}).")
                    Duration timeout)
            throws InterruptedException {
        Session session = root.session();
        RingmasterClient client = session.client();
        List<PlanId> ids = find(client, plan).stream().map(Plan::id).toList();
        ClusterName cluster = client.plan(ids.get(0)).cluster();
        if (wait) {
            try (Display display = new Display(session.console())) {
                new Follower(client, cluster, timeout)
                        .untilOver(
                                () -> Follower.view(
                                        client,
                                        cluster,
                                        ids.stream().map(client::plan).toList()),
                                display);
            }
            return;
        }
        List<Plan> plans = ids.stream().map(client::plan).toList();
        session.print(plans, () -> {
            PlanView all = Follower.view(client, cluster, plans);
            int width = session.console().width();
            List<Line> lines = new ArrayList<>();
            for (List<Plan> together : byRequest(plans)) {
                lines.addAll(PlanScreen.show(new PlanView(together, all.nodes(), all.now()), width));
                lines.addAll(PlanScreen.notes(together, width));
                lines.addAll(LoadScreen.ofPlans(together, width));
            }
            return lines;
        });
    }

    /** Plans of one request, or of the spec, are shown as one. */
    private static List<List<Plan>> byRequest(List<Plan> plans) {
        Map<String, List<Plan>> parts = new LinkedHashMap<>();
        plans.forEach(p -> parts.computeIfAbsent(String.valueOf(p.request()), r -> new ArrayList<>())
                .add(p));
        return List.copyOf(parts.values());
    }

    @Command(
            name = "pause",
            description = "Start no new steps. Running steps finish; a running repair stops and keeps its progress.")
    void pause(@Parameters(paramLabel = "PLAN") String plan) {
        ask(plan, PlanVerb.PAUSE, null);
    }

    @Command(name = "resume", description = "Continue after a pause.")
    void resume(@Parameters(paramLabel = "PLAN") String plan) {
        ask(plan, PlanVerb.RESUME, null);
    }

    @Command(name = "abort", description = "End the plan now; finished steps are not undone.")
    void abort(
            @Parameters(paramLabel = "PLAN") String plan,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Do not ask.")
                    boolean yes) {
        root.session().confirm("Abort " + plan + "?", yes);
        ask(plan, PlanVerb.ABORT, null);
    }

    @Command(name = "retry", description = "Start failed steps again.")
    void retry(
            @Parameters(paramLabel = "PLAN") String plan,
            @Option(names = "--step", paramLabel = "STEP", description = "Only this step, such as \"dc1 node-0\".")
                    @Nullable
                    String step) {
        ask(plan, PlanVerb.RETRY, step);
    }

    @Command(name = "force-complete", description = "Mark a step as done although it is not.")
    void forceComplete(
            @Parameters(paramLabel = "PLAN") String plan,
            @Option(
                            names = "--step",
                            required = true,
                            paramLabel = "STEP",
                            description = "The step, such as \"dc1 node-0\".")
                    String step,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Do not ask.")
                    boolean yes) {
        root.session().confirm("Mark step '" + step + "' of " + plan + " as done although it is not?", yes);
        ask(plan, PlanVerb.FORCE_COMPLETE, step);
    }

    private void ask(String plan, PlanVerb verb, @Nullable String step) {
        Session session = root.session();
        RingmasterClient client = session.client();
        List<Plan> plans = find(client, plan).stream()
                .map(p -> client.ask(p.id(), verb, step))
                .toList();
        if (session.format() != Format.TABLE) {
            session.print(plans, List::of);
            return;
        }
        for (Plan p : plans) {
            session.console()
                    .print("plan " + p.id() + " of " + p.cluster() + " is "
                            + p.status().name().toLowerCase(java.util.Locale.ROOT));
        }
    }

    /** The plan with this id, or the unfinished plans of a cluster, or else its last plan in each datacenter. */
    private static List<Plan> find(RingmasterClient client, String name) {
        var plans = client.plans(null);
        List<Plan> exact =
                plans.items().stream().filter(p -> p.id().value().equals(name)).toList();
        if (!exact.isEmpty()) {
            return exact;
        }
        List<Plan> ofCluster = plans.items().stream()
                .filter(p -> p.cluster().value().equals(name))
                .toList();
        List<Plan> open = ofCluster.stream().filter(p -> !p.status().isOver()).toList();
        if (!open.isEmpty()) {
            return open;
        }
        long newest = ofCluster.stream()
                .mapToLong(Plan::specVersion)
                .max()
                .orElseThrow(() -> new Failure(
                        ExitCode.REFUSED,
                        "no plan and no cluster with plans has the name '" + name + "'",
                        PROGRAM + " plan list"));
        return ofCluster.stream()
                .filter(p -> p.specVersion() == newest)
                .filter(p -> ofCluster.stream()
                        .noneMatch(q -> Objects.equals(q.id().datacenter(), p.id().datacenter())
                                && q.id().number() > p.id().number()))
                .toList();
    }
}
