package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.playground.wan.LinkSetting;
import io.ringmaster.playground.wan.WanReport.Traffic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Injects faults into a running playground and removes them, and prints what to watch. */
public final class FaultRunner {
    private final Session session;
    private final Path home;
    private final PlaygroundState state;

    FaultRunner(Session session, PlaygroundState state) {
        this.session = session;
        this.home = session.environment().home();
        this.state = state;
    }

    /** @throws Failure no playground runs */
    public static FaultRunner of(Session session) {
        return PlaygroundState.read(session.environment().home())
                .filter(s -> !s.servers().isEmpty())
                .map(s -> new FaultRunner(session, s))
                .orElseThrow(() -> new Failure(ExitCode.REFUSED, "no playground runs", PROGRAM + " playground"));
    }

    private interface Work {
        List<Line> run() throws IOException, InterruptedException;
    }

    private ExitCode report(Work work) throws InterruptedException {
        try {
            session.console().print(work.run());
            return ExitCode.OK;
        } catch (IOException e) {
            throw new Failure(ExitCode.FAILED, ThrowableText.of(e), PROGRAM + " playground status");
        }
    }

    public ExitCode cut(String a, String b) throws InterruptedException {
        return report(() -> {
            Traffic link = links("cut").change(a, b, l -> l.withUp(false));
            return FaultScreen.cut(link.setting());
        });
    }

    public ExitCode slowLink(String a, String b, Duration roundTrip) throws InterruptedException {
        return report(() -> {
            Traffic link = links("slow down").change(a, b, l -> l.withRoundTripMicros(roundTrip.toNanos() / 1_000));
            return FaultScreen.slowLink(link);
        });
    }

    public ExitCode slowMachine(String name, int cpuPercent) throws InterruptedException {
        return report(() -> {
            MachinePlace place = place(name);
            return FaultScreen.slowMachine(place, new SlowedMachine(place).slow(cpuPercent), cpuPercent);
        });
    }

    public ExitCode kill(String name) throws InterruptedException {
        return report(() -> {
            MachinePlace place = place(name);
            KilledMachine machine = new KilledMachine(place);
            if (machine.isKilled()) {
                throw new Failure(
                        ExitCode.REFUSED, place + " is killed already", PROGRAM + " playground revive " + place);
            }
            return FaultScreen.kill(place, machine.kill());
        });
    }

    public ExitCode revive(String name) throws InterruptedException {
        return report(() -> {
            MachinePlace place = place(name);
            KilledMachine machine = new KilledMachine(place);
            if (!machine.isKilled()) {
                throw new Failure(ExitCode.REFUSED, place + " is not killed", PROGRAM + " playground status");
            }
            return FaultScreen.revive(place, machine.revive());
        });
    }

    public ExitCode healLink(String a, String b) throws InterruptedException {
        return report(() -> FaultScreen.healed(List.of(healed(a, b)), List.of(), List.of()));
    }

    public ExitCode healMachine(String name) throws InterruptedException {
        return report(() -> {
            MachinePlace place = place(name);
            SlowedMachine machine = new SlowedMachine(place);
            if (!machine.isSlowed()) {
                throw new Failure(
                        ExitCode.REFUSED,
                        place + " is not slowed down",
                        new KilledMachine(place).isKilled()
                                ? "it is killed; revive it: " + PROGRAM + " playground revive " + place
                                : PROGRAM + " playground status");
            }
            machine.restore();
            return FaultScreen.healed(List.of(), List.of(place), List.of());
        });
    }

    /** Heals all links and slowed machines; killed machines need {@code revive}. */
    public ExitCode healAll() throws InterruptedException {
        return report(() -> {
            List<Traffic> links = new ArrayList<>();
            if (state.wan() != null) {
                for (Traffic link : links("heal").report().links()) {
                    LinkSetting setting = link.setting();
                    if (!setting.equals(links("heal").healed(setting))) {
                        links.add(healed(setting.a(), setting.b()));
                    }
                }
            }
            List<MachinePlace> slowed = machines(p -> new SlowedMachine(p).isSlowed());
            for (MachinePlace place : slowed) {
                new SlowedMachine(place).restore();
            }
            return FaultScreen.healed(links, slowed, machines(p -> new KilledMachine(p).isKilled()));
        });
    }

    private Traffic healed(String a, String b) throws IOException, InterruptedException {
        Links links = links("heal");
        return links.change(a, b, links::healed);
    }

    private Links links(String verb) {
        return new Links(home, state.wan(), verb);
    }

    private MachinePlace place(String name) throws IOException {
        return MachinePlace.of(name, home, state.size().datacenters());
    }

    private List<MachinePlace> machines(Predicate<MachinePlace> wanted) throws IOException {
        List<MachinePlace> found = new ArrayList<>();
        for (int n = 1; n <= state.size().datacenters(); n++) {
            ServerFiles files = new ServerFiles(home, n);
            MachinePlace.machines(files).stream()
                    .map(m -> new MachinePlace(files, m))
                    .filter(wanted)
                    .forEach(found::add);
        }
        return found;
    }

    /** State of the links, and machines with faults. */
    List<Line> inForce() {
        List<Line> lines = new ArrayList<>();
        try {
            if (state.wan() != null && !state.servers().isEmpty()) {
                links("show")
                        .report()
                        .links()
                        .forEach(l -> lines.add(PlaygroundScreen.stage("link", LinkScreen.now(l))));
            }
            machines(p -> new KilledMachine(p).isKilled()).forEach(p -> lines.add(FaultScreen.isKilled(p)));
            machines(p -> new SlowedMachine(p).isSlowed()).forEach(p -> lines.add(FaultScreen.isSlowed(p)));
        } catch (IOException e) {
            lines.add(PlaygroundScreen.stage("network", Line.of("cannot be read: " + ThrowableText.of(e))));
        }
        return lines;
    }
}
