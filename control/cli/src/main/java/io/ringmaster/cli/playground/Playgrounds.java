package io.ringmaster.cli.playground;

import io.ringmaster.cli.doctor.Demand;
import io.ringmaster.cli.process.ProcessMark;
import io.ringmaster.cli.process.Processes;
import io.ringmaster.cli.screen.Formats;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.terminal.Console;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jline.utils.Signals;

/** The life of the one playground of a home: up, down, status. */
public final class Playgrounds {
    private static final Duration OWNER_ENDS = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Session session;
    private final Path home;
    private final Console console;

    public Playgrounds(Session session) {
        this.session = session;
        this.home = session.surroundings().home();
        this.console = session.console();
    }

    /** @param size from what it would be otherwise to what it shall be */
    public ExitCode up(UnaryOperator<Demand> size, PlaygroundOptions wanted) throws InterruptedException {
        refuseSecond();
        Playground playground = new Playground(session);
        Optional<PlaygroundState> kept = kept();
        Demand demand = size.apply(kept.map(PlaygroundState::size)
                .orElseGet(() -> playground.example().size()));
        kept.ifPresent(k -> refuseShrinking(k.size(), demand));
        kept.ifPresent(k -> refuseMoving(k, wanted));
        PlaygroundOptions options = kept.map(
                        k -> wanted.keeping(k.wan() == null ? null : k.wan().link()))
                .orElse(wanted);
        AtomicBoolean stopping = catchSignals(Thread.currentThread());
        Optional<ExitCode> early = start(playground, demand, options, kept, stopping);
        if (early.isPresent() || options.detach()) {
            return early.orElse(ExitCode.OK);
        }
        awaitStop();
        stopping.set(true);
        tearDown();
        return ExitCode.OK;
    }

    /** @return how it ended when it did not come up and nothing is to be thrown */
    private Optional<ExitCode> start(
            Playground playground,
            Demand demand,
            PlaygroundOptions options,
            Optional<PlaygroundState> kept,
            AtomicBoolean stopping)
            throws InterruptedException {
        new PlaygroundState(
                        "",
                        demand,
                        options.keepData() || kept.isPresent(),
                        ProcessMark.ofThisProcess(),
                        List.of(),
                        kept.map(PlaygroundState::wan).orElse(null))
                .write(home);
        try {
            playground.start(demand, options, kept);
            PlaygroundState.read(home).filter(s -> options.detach()).ifPresent(s -> s.withoutOwner()
                    .write(home));
            return Optional.empty();
        } catch (InterruptedException e) {
            stopping.set(true);
            console.note(Line.of("interrupted"));
            tearDown();
            return Optional.of(ExitCode.INTERRUPTED);
        } catch (RuntimeException e) {
            if (Thread.interrupted()) {
                stopping.set(true);
                console.note(Line.of("interrupted"));
                tearDown();
                return Optional.of(ExitCode.INTERRUPTED);
            }
            cleanUpAfter(e, options, stopping);
            throw e;
        }
    }

    private void cleanUpAfter(RuntimeException failure, PlaygroundOptions options, AtomicBoolean stopping)
            throws InterruptedException {
        if (options.keepOnFailure()) {
            PlaygroundState.read(home).ifPresent(s -> s.withoutOwner().write(home));
            console.note(Line.of(
                    "left as it is: " + PlaygroundState.directory(home) + "; stop it with ringmaster playground down"));
            return;
        }
        stopping.set(true);
        try {
            tearDown();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            console.note(Line.of("cleaning up failed too: " + e.getMessage()));
        }
    }

    public ExitCode down(boolean keepData) throws InterruptedException {
        Optional<PlaygroundState> state = PlaygroundState.read(home);
        if (keepData) {
            state.ifPresent(s -> s.keeping(true).write(home));
        }
        boolean nothing = state.isEmpty()
                && Processes.below(PlaygroundState.directory(home)).isEmpty();
        if (nothing && !Files.exists(PlaygroundState.directory(home))) {
            console.print("no playground runs, and nothing is left of one");
            return ExitCode.OK;
        }
        ProcessMark owner = state.map(PlaygroundState::owner).orElse(null);
        if (owner != null && owner.isAlive()) {
            ProcessHandle.of(owner.pid()).ifPresent(ProcessHandle::destroy);
            Processes.await(List.of(owner), OWNER_ENDS);
        }
        tearDown();
        return ExitCode.OK;
    }

    public ExitCode status() {
        Optional<PlaygroundState> state = PlaygroundState.read(home);
        List<Processes.Own> running = Processes.below(PlaygroundState.directory(home));
        List<Line> faults =
                state.map(s -> new FaultRunner(session, s).inForce()).orElse(List.of());
        List<Line> lines = PlaygroundScreen.status(home, state, running, faults);
        session.print(Map.of("running", !running.isEmpty(), "processes", running.size(), "state", state), () -> lines);
        return ExitCode.OK;
    }

    private void tearDown() throws InterruptedException {
        long begun = System.nanoTime();
        Optional<PlaygroundState> state = PlaygroundState.read(home);
        boolean keep = state.map(PlaygroundState::keepData).orElse(false);
        console.print(PlaygroundScreen.stage("stopping", Line.of(keep ? "lets every node flush its data" : "")));
        Teardown.Ended ended = new Teardown(home).run(keep);
        if (keep) {
            state.ifPresent(s -> s.withServers(List.of()).withoutOwner().write(home));
        }
        String took = Formats.elapsed(Duration.ofNanos(System.nanoTime() - begun));
        String data = ended.dataKept() ? "data kept in " + PlaygroundState.directory(home) : "data deleted";
        console.print(PlaygroundScreen.stage(
                "stopped", Line.of(Formats.count(ended.processes(), "process") + " ended, " + data + "  " + took)));
    }

    private void refuseSecond() {
        Optional<PlaygroundState> state = PlaygroundState.read(home);
        boolean runs = state.filter(PlaygroundState::ownerIsAlive).isPresent()
                || !Processes.below(PlaygroundState.directory(home)).isEmpty();
        if (runs) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "a playground of " + home + " runs already",
                    "ringmaster playground status, or ringmaster playground down to stop it");
        }
    }

    /** What a stopped playground left, if its data were kept; anything else left over is removed. */
    private Optional<PlaygroundState> kept() throws InterruptedException {
        Optional<PlaygroundState> state = PlaygroundState.read(home);
        if (state.isPresent() && state.get().keepData()) {
            return state;
        }
        new Teardown(home).run(false);
        return Optional.empty();
    }

    private void refuseShrinking(Demand kept, Demand wanted) {
        if (wanted.datacenters() != kept.datacenters() || wanted.nodes() < kept.nodes()) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "the data that were kept are of " + kept.datacenters() + " datacenters with " + kept.nodes()
                            + " nodes each; asked for were " + wanted.datacenters() + " with " + wanted.nodes(),
                    "ask for the same (or more nodes), or rm -r " + PlaygroundState.directory(home) + " to begin anew");
        }
    }

    private void refuseMoving(PlaygroundState kept, PlaygroundOptions wanted) {
        if (kept.wan() == null && wanted.wan() != null) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "the data that were kept are of nodes on loopback, whose addresses cannot change",
                    "start without --wan, or rm -r " + PlaygroundState.directory(home) + " to begin anew");
        }
    }

    /** Until Ctrl-C, or until somebody else stopped it. */
    private void awaitStop() {
        try {
            while (PlaygroundState.read(home).isPresent()) {
                Thread.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            console.note(Line.EMPTY);
        }
    }

    /** The first signal interrupts {@code worker}; those that come while it cleans up are answered in words. */
    private AtomicBoolean catchSignals(Thread worker) {
        AtomicBoolean stopping = new AtomicBoolean();
        for (String signal : List.of("INT", "TERM", "HUP")) {
            Signals.register(signal, () -> {
                if (stopping.compareAndSet(false, true)) {
                    worker.interrupt();
                } else {
                    console.note(Line.of(
                            "  still stopping; ringmaster playground down does it again if this one is killed"));
                }
            });
        }
        return stopping;
    }
}
