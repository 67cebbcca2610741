package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Formats;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.playground.wan.LinkSetting;
import io.ringmaster.playground.wan.WanReport.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Screen of an injected fault: the fault, its effects, and the command that undoes it. */
final class FaultScreen {
    private static final String STATUS = PROGRAM + " cluster list";

    private FaultScreen() {}

    static List<Line> cut(LinkSetting link) {
        return screen(
                "cut",
                Line.of(Style.BAD, LinkScreen.name(link)).and("  every packet is dropped, in both directions"),
                List.of(
                        STATUS + ": each server reports the other one as silent,",
                        "within 20 s every node sees the other datacenter's nodes as down",
                        "requests at LOCAL_QUORUM and LOCAL_ONE continue in both; EACH_QUORUM and QUORUM fail;",
                        "hints store the writes for the other side"),
                PROGRAM + " playground heal " + link.a() + " " + link.b());
    }

    static List<Line> slowLink(Traffic link) {
        LinkSetting setting = link.setting();
        return screen(
                "slowed",
                LinkScreen.started(link),
                List.of("requests at LOCAL_QUORUM keep their speed; EACH_QUORUM takes at least the round trip", STATUS),
                PROGRAM + " playground heal " + setting.a() + " " + setting.b());
    }

    static List<Line> slowMachine(MachinePlace place, List<String> nodes, int cpuPercent) {
        return screen(
                "slowed",
                Line.of(Style.WARN, place.toString())
                        .and("  " + names(nodes) + " may use " + cpuPercent + " % of one CPU"),
                List.of(
                        "requests that this node coordinates are slow; LOCAL_QUORUM through the others stays fast,",
                        "because two answers are enough and the dynamic snitch prefers fast replicas",
                        STATUS + ": NORMAL, or down for moments when it is very slow"),
                PROGRAM + " playground heal " + place);
    }

    static List<Line> kill(MachinePlace place, KilledMachine.Done done) {
        return screen(
                "killed",
                Line.of(Style.BAD, place.toString())
                        .and("  " + Formats.count(done.processes(), "process") + " ended at once, the volumes of "
                                + names(done.nodes()) + " are out of reach"),
                List.of(
                        status(done) + ": the machine is lost, with the next step",
                        PROGRAM + " machine list: the pool no longer offers it, and nothing is started on it",
                        "requests at LOCAL_QUORUM continue with two of three replicas; hints store its writes"),
                PROGRAM + " playground revive " + place);
    }

    static List<Line> revive(MachinePlace place, KilledMachine.Done done) {
        return screen(
                "revived",
                Line.of(Style.GOOD, place.toString()).and("  the volumes of " + names(done.nodes()) + " are back"),
                List.of(
                        status(done) + ": a node that still has its place there starts again and is",
                        "NORMAL within seconds, then the others replay their hints to it; the volume of a node that was",
                        "replaced meanwhile stays unused"),
                null);
    }

    /** @param killed machines that stay killed */
    static List<Line> healed(List<Traffic> links, List<MachinePlace> machines, List<MachinePlace> killed) {
        List<Line> lines = new ArrayList<>();
        links.forEach(l -> lines.add(PlaygroundScreen.stage("healed", LinkScreen.started(l))));
        machines.forEach(
                p -> lines.add(PlaygroundScreen.stage("healed", Line.of(p + "  its nodes have their CPUs again"))));
        if (lines.isEmpty()) {
            lines.add(PlaygroundScreen.stage("healed", Line.of("nothing was cut or slowed down")));
        } else {
            lines.add(PlaygroundScreen.stage(
                    "watch", Line.of(STATUS + ": HEALTHY within seconds; then hints are replayed")));
        }
        killed.forEach(p -> lines.add(isKilled(p)));
        return lines;
    }

    static Line isKilled(MachinePlace place) {
        return PlaygroundScreen.stage(
                "killed", Line.of(Style.BAD, place.toString()).and("  " + PROGRAM + " playground revive " + place));
    }

    static Line isSlowed(MachinePlace place) {
        return PlaygroundScreen.stage(
                "slowed", Line.of(Style.WARN, place.toString()).and("  " + PROGRAM + " playground heal " + place));
    }

    private static List<Line> screen(String label, Line what, List<String> watch, @Nullable String undo) {
        List<Line> lines = new ArrayList<>();
        lines.add(PlaygroundScreen.stage(label, what));
        for (int i = 0; i < watch.size(); i++) {
            lines.add(PlaygroundScreen.stage(i == 0 ? "watch" : "", Line.of(watch.get(i))));
        }
        if (undo != null) {
            lines.add(PlaygroundScreen.stage("undo", Line.of(undo)));
        }
        return lines;
    }

    /** Of each cluster that has a node on the machine. */
    private static String status(KilledMachine.Done done) {
        return done.clusters().isEmpty()
                ? STATUS
                : done.clusters().stream()
                        .map(cluster -> PROGRAM + " cluster status " + cluster)
                        .collect(Collectors.joining(", "));
    }

    private static String names(List<String> nodes) {
        return nodes.isEmpty() ? "no node" : String.join(", ", nodes);
    }
}
