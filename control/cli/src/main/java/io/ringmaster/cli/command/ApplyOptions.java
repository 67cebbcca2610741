package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.follow.Display;
import io.ringmaster.cli.follow.Follower;
import io.ringmaster.cli.load.ProbeLoad;
import io.ringmaster.cli.screen.Formats;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.PlanView;
import io.ringmaster.cli.screen.SpecScreen;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.ConfirmAndWait;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.Session;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Applies a spec: shows the plan, asks, applies, waits. */
public final class ApplyOptions extends ConfirmAndWait {
    @Option(
            names = "--probe",
            description = "Wait, and run a light load meanwhile; the command fails when a request fails.")
    private boolean probe;

    @Option(names = "--allow-silent-peers", description = "Continue although a datacenter does not answer.")
    private boolean allowSilentPeers;

    @Option(names = "--force", description = "Remove a datacenter although clients are connected there.")
    private boolean force;

    public ApplyOptions() {
        super("30m");
    }

    /** @param current version that the new spec replaces; 0 for a new cluster */
    int apply(Session session, ClusterName cluster, String yaml, long current) throws InterruptedException {
        RingmasterClient client = session.client();
        Optional<ProbeLoad> load = probe ? Optional.of(ProbeLoad.of(session, client)) : Optional.empty();
        ChangeAnswer draft =
                client.apply(cluster, yaml, current, new ChangeOptions(true, false, allowSilentPeers, force));
        if (dryRun() || session.format() == Format.TABLE) {
            show(session, draft);
        }
        if (dryRun() || !draft.changed()) {
            return 0;
        }
        session.confirm("Apply?", yes());
        ProbeLoad.Work work = () -> {
            ChangeAnswer answer =
                    client.apply(cluster, yaml, current, new ChangeOptions(false, false, allowSilentPeers, force));
            if (waits() || probe) {
                try (Display display = new Display(session.console())) {
                    new Follower(client, cluster, timeout())
                            .untilSettled(answer.specVersion(), allowSilentPeers, display);
                }
            }
            after(session, answer, PROGRAM + " plan show " + followed(answer) + " --wait", waits() || probe);
        };
        if (load.isPresent()) {
            load.get().run(cluster, work, () -> plansOf(client, cluster, draft.specVersion()));
        } else {
            work.run();
        }
        return 0;
    }

    /** The newest plan of each datacenter for this version of the spec. */
    private static List<PlanId> plansOf(RingmasterClient client, ClusterName cluster, long specVersion) {
        return PlanView.of(client.status(cluster, Scope.FLEET), specVersion).stream()
                .flatMap(p -> p.plans().stream())
                .map(Plan::id)
                .toList();
    }

    /** The plan, or the cluster whose plans they are. */
    private static String followed(ChangeAnswer answer) {
        return answer.plans().size() == 1
                ? answer.plans().get(0).id().value()
                : answer.cluster().value();
    }

    static void show(Session session, ChangeAnswer draft) {
        session.print(
                draft,
                () -> SpecScreen.draft(draft, Instant.now(), session.console().width()));
    }

    static void after(Session session, ChangeAnswer answer, String follow, boolean waited) {
        if (session.format() != Format.TABLE) {
            session.print(answer, List::of);
        } else if (waited) {
            session.console().print(Line.of(Style.GOOD, "done"));
        } else {
            String ids = answer.plans().stream().map(p -> p.id().value()).collect(Collectors.joining(", "));
            String plans =
                    Formats.count(answer.plans().size(), "plan") + " started" + (ids.isEmpty() ? "" : ": " + ids);
            session.console().print(Line.of(plans + "; follow with: " + follow));
        }
    }
}
