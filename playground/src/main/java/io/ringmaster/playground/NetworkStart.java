package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.process.Programs;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.doctor.Host;
import io.ringmaster.playground.loopback.HeldSockets;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Chooses the addresses of a playground and makes its network namespaces. */
final class NetworkStart {
    /** Shows the programs that hold blocks of loopback addresses. */
    static final String SHOW_HOLDERS = "ss -ltnp 'sport = :" + HeldSockets.PORT + "'";

    private final Path home;
    private final Programs programs;
    private final Console console;
    private final HeldSockets held;

    /** @param held keeps the addresses from other playgrounds */
    NetworkStart(Path home, Programs programs, Console console, HeldSockets held) {
        this.home = home;
        this.programs = programs;
        this.console = console;
        this.held = held;
    }

    /**
     * Chooses the block and holds it. Network namespaces replace it, so that with them it is not held.
     *
     * @param kept state of the playground that left its data, whose addresses stay
     */
    LoopbackBlock block(PlaygroundOptions options, Optional<PlaygroundState> kept) {
        if (options.wan() != null) {
            return LoopbackBlock.next();
        }
        if (kept.isEmpty()) {
            return free(options.movingAddresses());
        }
        LoopbackBlock before = kept.get().loopback();
        if (!held.block(before)) {
            throw new KeptData(kept.get(), home).blockIsTaken();
        }
        return before;
    }

    private LoopbackBlock free(boolean moving) {
        return held.firstBlock(moving).orElseThrow(() -> noFreeBlock(moving));
    }

    static Failure noFreeBlock(boolean moving) {
        List<LoopbackBlock> all = LoopbackBlock.all(moving);
        return new Failure(
                ExitCode.FAILED,
                "other programs listen in every block of loopback addresses from " + all.get(0) + " to "
                        + all.get(all.size() - 1) + ", or a program listens at port " + HeldSockets.PORT
                        + " of every address",
                SHOW_HOLDERS + " shows them; stop one, such as another playground");
    }

    /**
     * @param block the result of {@link #block}
     * @param data state of the playground that left its data, whose addresses stay
     */
    Network start(
            Host host, Demand size, PlaygroundOptions options, LoopbackBlock block, Optional<PlaygroundState> data)
            throws InterruptedException {
        if (options.wan() == null) {
            if (block.number() > 1) {
                String reason = data.isPresent()
                        ? "the addresses of the kept data"
                        : "because other programs listen in the blocks before";
                say("addresses", Line.of(block + ", " + reason));
            }
            return new Network.Loopback(block);
        }
        Optional<WanOptions> kept = data.map(PlaygroundState::wan);
        try {
            Optional<String> obstacle = host.whyNoNetworkNamespaces();
            if (obstacle.isPresent()) {
                throw new IOException(obstacle.get());
            }
            WanOptions wan = new WanOptions(freeNetwork(kept), options.wan());
            Network.Namespaces network = new WanStart(home, programs).start(wan, size);
            network.report().links().forEach(l -> say("network", LinkScreen.started(l)));
            return network;
        } catch (IOException e) {
            if (kept.isPresent()) {
                throw new Failure(
                        ExitCode.FAILED,
                        "the kept data belong to nodes in network namespaces, which cannot be created: "
                                + ThrowableText.of(e),
                        PROGRAM + " doctor, or rm -r " + PlaygroundState.directory(home) + " to start without data");
            }
            say("network", Line.of(Style.WARN, "--wan has no effect: ").and(ThrowableText.of(e)));
            say(
                    "",
                    Line.of("all datacenters are on loopback, without delay; " + PROGRAM
                            + " doctor shows what is missing"));
            return new Network.Loopback(free(false));
        }
    }

    private int freeNetwork(Optional<WanOptions> kept) throws IOException {
        if (kept.isPresent() && !FreeNetworks.hold(kept.get().network(), held)) {
            throw new IOException("this computer uses 10." + kept.get().network() + ".0.0/16 for something else now");
        }
        return kept.isPresent()
                ? kept.get().network()
                : FreeNetworks.first(held)
                        .orElseThrow(() -> new IOException("10.77.0.0/16 and all after it are in use already"));
    }

    private void say(String label, Line text) {
        console.print(PlaygroundScreen.stage(label, text));
    }
}
