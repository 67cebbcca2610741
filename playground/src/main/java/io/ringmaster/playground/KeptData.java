package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.loopback.HeldSockets;
import java.nio.file.Path;

/** Refuses starts that the data of a stopped playground do not allow. */
final class KeptData {
    private final PlaygroundState kept;
    private final Path directory;

    KeptData(PlaygroundState kept, Path home) {
        this.kept = kept;
        this.directory = PlaygroundState.directory(home);
    }

    void check(Demand size, PlaygroundOptions wanted) {
        Demand before = kept.size();
        if (size.datacenters() != before.datacenters() || size.nodes() < before.nodes()) {
            throw refused(
                    "the kept data are of " + before.datacenters() + " datacenters with " + before.nodes()
                            + " nodes each; requested are " + size.datacenters() + " with " + size.nodes(),
                    "request the same size or more nodes");
        }
        if (kept.wan() == null && wanted.wan() != null) {
            throw refused(
                    "the kept data are of nodes on loopback, whose addresses cannot change", "start without --wan");
        }
        if (wanted.tls() != null && kept.tls() != wanted.isEncrypted()) {
            throw refused(
                    "the kept data are of nodes " + (kept.tls() ? "with" : "without") + " TLS, which cannot change",
                    "start " + (kept.tls() ? "with --tls" : "with --no-tls"));
        }
        if (!kept.movingAddresses() && wanted.movingAddresses()) {
            throw refused(
                    "the kept data are of nodes with the addresses of their machines",
                    "start without --moving-addresses");
        }
    }

    /** The nodes' addresses cannot change, and another program has them now. */
    Failure blockIsTaken() {
        return refused(
                "the kept data are of nodes in " + kept.loopback() + ", where another program listens now, such as"
                        + " another playground, or a program listens at port " + HeldSockets.PORT
                        + " of every address",
                "ss -ltnp src " + kept.loopback() + " or " + NetworkStart.SHOW_HOLDERS + " shows it; start again when"
                        + " it is stopped, such as by its user with " + PROGRAM + " playground down");
    }

    private Failure refused(String cause, String nextStep) {
        return new Failure(ExitCode.REFUSED, cause, nextStep + ", or rm -r " + directory + " to start without data");
    }
}
