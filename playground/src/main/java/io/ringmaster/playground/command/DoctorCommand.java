package io.ringmaster.playground.command;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.playground.Playgrounds;
import io.ringmaster.playground.doctor.Checks;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.doctor.DoctorScreen;
import io.ringmaster.playground.doctor.LinuxHost;
import io.ringmaster.playground.doctor.Result;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster doctor}: checks whether this computer can run a playground. */
@Command(
        name = "doctor",
        description = "Check whether this computer can run a playground. Exits with 1 when it cannot.",
        footer = {"", "Examples:", "  ringmaster doctor", "  ringmaster doctor --nodes 1 --heap 128MiB -o json"})
public final class DoctorCommand implements Callable<Integer> {
    @ParentCommand
    private SessionSource root;

    @Mixin
    private SizeOptions size;

    @Override
    public Integer call() {
        Session session = root.session();
        Path home = session.environment().home();
        Optional<LoopbackBlock> kept = Playgrounds.keptBlock(home);
        var host = new LinuxHost(
                home, session.environment().variables(), kept.orElseGet(LoopbackBlock::next), kept.isPresent());
        List<Result> results = Checks.run(host, size.demand(Demand.DEFAULT));
        session.print(
                results, () -> DoctorScreen.results(results, session.console().width()));
        boolean failed = results.stream().anyMatch(r -> r.status() == Result.Status.FAIL);
        return failed ? ExitCode.FAILED.number() : ExitCode.OK.number();
    }
}
