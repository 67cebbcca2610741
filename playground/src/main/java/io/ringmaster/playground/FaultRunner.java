package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.playground.wan.LinkSetting;
import io.ringmaster.playground.wan.WanReport.Traffic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Breaks a running playground on purpose and mends it again, and says what to watch meanwhile. */
public final class FaultRunner {
    private final Session session;
    private final Path home;
    private final PlaygroundState state;

    FaultRunner(Session session, PlaygroundState state) {
        this.session = session;
        this.home = session.environment().home();
        this.state = state;
    }

    /** @throws Failure none runs */
    public static FaultRunner of(Session session) {
        return PlaygroundState.read(session.environment().home())
                .filter(s -> !s.servers().isEmpty())
                .map(s -> new FaultRunner(session, s))
                .orElseThrow(() -> new Failure(ExitCode.REFUSED, "no playground runs", PROGRAM + " playground"));
    }

    private interface Work {
        List<Line> run() throws IOException, InterruptedException;
    }

    private ExitCode tell(Work work) throws InterruptedException {
        try {
            session.console().print(work.run());
            return ExitCode.OK;
        } catch (IOException e) {
            throw new Failure(ExitCode.FAILED, String.valueOf(e.getMessage()), PROGRAM + " playground status");
        }
    }

    public ExitCode cut(String a, String b) throws InterruptedException {
        return tell(() -> {
            Traffic link = links("cut").change(a, b, l -> l.withUp(false));
            return FaultScreen.cut(link.setting(), state.cluster());
        });
    }

    public ExitCode slowLink(String a, String b, Duration roundTrip) throws InterruptedException {
        return tell(() -> {
            Traffic link = links("slow down").change(a, b, l -> l.withRoundTripMicros(roundTrip.toNanos() / 1_000));
            return FaultScreen.slowLink(link, state.cluster());
        });
    }

    public ExitCode slowMachine(String name, int cpuPercent) throws InterruptedException {
        return tell(() -> {
            MachinePlace place = place(name);
            return FaultScreen.slowMachine(
                    place, new SlowedMachine(place).slow(cpuPercent), cpuPercent, state.cluster());
        });
    }

    public ExitCode kill(String name) throws InterruptedException {
        return tell(() -> {
            MachinePlace place = place(name);
            KilledMachine machine = new KilledMachine(place);
            if (machine.isKilled()) {
                throw new Failure(
                        ExitCode.REFUSED, place + " is killed already", PROGRAM + " playground revive " + place);
            }
            return FaultScreen.kill(place, machine.kill(), state.cluster());
        });
    }

    public ExitCode revive(String name) throws InterruptedException {
        return tell(() -> {
            MachinePlace place = place(name);
            KilledMachine machine = new KilledMachine(place);
            if (!machine.isKilled()) {
                throw new Failure(ExitCode.REFUSED, place + " is not killed", PROGRAM + " playground status");
            }
            return FaultScreen.revive(place, machine.revive(), state.cluster());
        });
    }

    public ExitCode healLink(String a, String b) throws InterruptedException {
        return tell(() -> FaultScreen.healed(List.of(mended(a, b)), List.of(), List.of(), state.cluster()));
    }

    public ExitCode healMachine(String name) throws InterruptedException {
        return tell(() -> {
            MachinePlace place = place(name);
            SlowedMachine machine = new SlowedMachine(place);
            if (!machine.isSlowed()) {
                throw new Failure(
                        ExitCode.REFUSED,
                        place + " is not slowed down",
                        new KilledMachine(place).isKilled()
                                ? "it is killed: " + PROGRAM + " playground revive " + place
                                : PROGRAM + " playground status");
            }
            machine.restore();
            return FaultScreen.healed(List.of(), List.of(place), List.of(), state.cluster());
        });
    }

    /** Everything but killed machines, which have a command of their own. */
    public ExitCode healAll() throws InterruptedException {
        return tell(() -> {
            List<Traffic> links = new ArrayList<>();
            if (state.wan() != null) {
                for (Traffic link : links("heal").report().links()) {
                    LinkSetting setting = link.setting();
                    if (!setting.equals(links("heal").healed(setting))) {
                        links.add(mended(setting.a(), setting.b()));
                    }
                }
            }
            List<MachinePlace> slowed = machines(p -> new SlowedMachine(p).isSlowed());
            for (MachinePlace place : slowed) {
                new SlowedMachine(place).restore();
            }
            return FaultScreen.healed(links, slowed, machines(p -> new KilledMachine(p).isKilled()), state.cluster());
        });
    }

    private Traffic mended(String a, String b) throws IOException, InterruptedException {
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

    /** How the links are, and which machines are not as they should be. */
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
            lines.add(PlaygroundScreen.stage("network", Line.of("cannot be looked at: " + e.getMessage())));
        }
        return lines;
    }
}
