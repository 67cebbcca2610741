package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Formats;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.loopback.HeldSockets;
import io.ringmaster.playground.loopback.LoopbackBlock;
import io.ringmaster.playground.process.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jline.utils.Signals;

/** The commands up, down and status for the one playground of a home folder. */
public final class Playgrounds {
    private static final Duration OWNER_ENDS = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Session session;
    private final Path home;
    private final Console console;

    public Playgrounds(Session session) {
        this.session = session;
        this.home = session.environment().home();
        this.console = session.console();
    }

    /** The block of the kept data that the next start of this home resumes; empty when it takes a free one. */
    public static Optional<LoopbackBlock> keptBlock(Path home) {
        return PlaygroundState.read(home)
                .filter(PlaygroundState::keepData)
                .filter(s -> s.wan() == null)
                .filter(s -> Processes.below(PlaygroundState.directory(home)).isEmpty())
                .map(PlaygroundState::loopback);
    }

    /** @param size maps the default size to the requested size */
    public ExitCode up(UnaryOperator<Demand> size, PlaygroundOptions wanted) throws InterruptedException {
        refuseSecond();
        try (HeldSockets held = new HeldSockets()) {
            return up(new Playground(session, held), size, wanted);
        }
    }

    private ExitCode up(Playground playground, UnaryOperator<Demand> size, PlaygroundOptions wanted)
            throws InterruptedException {
        Optional<PlaygroundState> kept = kept();
        Demand demand = size.apply(kept.map(PlaygroundState::size)
                .orElseGet(() -> playground.example().size()));
        kept.ifPresent(k -> new KeptData(k, home).check(demand, wanted));
        PlaygroundOptions options = kept.map(wanted::keeping).orElse(wanted);
        LoopbackBlock block = playground.network().block(options, kept);
        AtomicBoolean stopping = catchSignals(Thread.currentThread());
        Optional<ExitCode> early = start(playground, demand, options, block, kept, stopping);
        if (early.isPresent() || options.detach()) {
            return early.orElse(ExitCode.OK);
        }
        awaitStop();
        stopping.set(true);
        tearDown();
        return ExitCode.OK;
    }

    /** @return the exit code of an interrupted start; empty after a start that worked */
    private Optional<ExitCode> start(
            Playground playground,
            Demand demand,
            PlaygroundOptions options,
            LoopbackBlock block,
            Optional<PlaygroundState> kept,
            AtomicBoolean stopping)
            throws InterruptedException {
        new PlaygroundState(
                        "",
                        demand,
                        options.keepData() || kept.isPresent(),
                        ProcessIdentity.ofThisProcess(),
                        List.of(),
                        options.movingAddresses(),
                        block.number(),
                        options.isEncrypted(),
                        kept.map(PlaygroundState::wan).orElse(null))
                .write(home);
        try {
            playground.start(demand, options, block, kept);
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
            console.note(Line.of("everything is left in " + PlaygroundState.directory(home) + "; stop it with "
                    + PROGRAM + " playground down"));
            return;
        }
        stopping.set(true);
        try {
            tearDown();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            console.note(Line.of("the cleanup failed, too: " + ThrowableText.of(e)));
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
        ProcessIdentity owner = state.map(PlaygroundState::owner).orElse(null);
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
        long start = System.nanoTime();
        Optional<PlaygroundState> state = PlaygroundState.read(home);
        boolean keep = state.map(PlaygroundState::keepData).orElse(false);
        console.print(PlaygroundScreen.stage("stopping", Line.of(keep ? "every node flushes its data" : "")));
        Teardown.Ended ended = new Teardown(home).run(keep);
        if (keep) {
            state.ifPresent(s -> s.withServers(List.of()).withoutOwner().write(home));
        }
        String took = Formats.elapsed(Duration.ofNanos(System.nanoTime() - start));
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
                    PROGRAM + " playground status, or " + PROGRAM + " playground down to stop it");
        }
    }

    /** The state of a stopped playground that kept its data; removes other leftovers. */
    private Optional<PlaygroundState> kept() throws InterruptedException {
        Optional<PlaygroundState> state = PlaygroundState.read(home);
        if (state.isPresent() && state.get().keepData()) {
            return state;
        }
        if (state.isPresent()) {
            console.note(Line.of("deletes the data of the playground that ran before: with --keep-data a playground"
                    + " keeps them, also when the computer fails"));
        }
        new Teardown(home).run(false);
        return Optional.empty();
    }

    /** Waits until Ctrl-C, or until another command stops the playground. */
    private void awaitStop() {
        try {
            while (PlaygroundState.read(home).isPresent()) {
                Thread.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            console.note(Line.EMPTY);
        }
    }

    /** The first signal interrupts {@code worker}; signals during the cleanup print a message. */
    private AtomicBoolean catchSignals(Thread worker) {
        AtomicBoolean stopping = new AtomicBoolean();
        for (String signal : List.of("INT", "TERM", "HUP")) {
            Signals.register(signal, () -> {
                if (stopping.compareAndSet(false, true)) {
                    worker.interrupt();
                } else {
                    console.note(Line.of("  still stopping; " + PROGRAM
                            + " playground down finishes the cleanup if this command is killed"));
                }
            });
        }
        return stopping;
    }
}
