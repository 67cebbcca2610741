package io.ringmaster.cli.command;

import io.ringmaster.cli.screen.SharingScreen;
import io.ringmaster.cli.session.Session;
import io.ringmaster.wire.api.SharingAsk;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster machine plan}: how many machines clusters would need that are not there yet. */
@Command(
        name = "plan",
        description = {
            "How many machines a mix of clusters needs, in each datacenter: when they share machines, as Ringmaster "
                    + "places them, and when each cluster has machines of its own. Nothing is changed."
        },
        footer = {
            "",
            "A mix lists specs, which are looked for beside it. Each can have a count of clusters, and another",
            "number of nodes in each datacenter than it says:",
            "",
            "  clusters:",
            "    - {spec: rides.yaml, count: 4}",
            "    - {spec: trips.yaml, nodes: 6}",
            "",
            "Examples:",
            "  ringmaster machine plan --what-if rides.yaml --what-if trips.yaml",
            "  ringmaster machine plan --what-if mix.yaml --machine cpus=32,memory=128GiB,disk=2TiB --racks 3"
        })
public final class MachinePlanCommand implements Runnable {
    @Option(
            names = "--what-if",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Specs and mixes of specs, in the order in which they would be declared.")
    private List<Path> files;

    @Option(
            names = "--machine",
            paramLabel = "SHAPE",
            description = "What each machine has, such as cpus=32,memory=128GiB,disk=2TiB; several shapes take turns "
                    + "(default: those of the pool of each datacenter).")
    private @Nullable List<String> machines;

    @Option(
            names = "--racks",
            paramLabel = "N",
            description = "Racks r1 to rN in each datacenter (default: those of its pool; 3 if it has none).")
    private @Nullable Integer racks;

    @ParentCommand
    private MachineCommand parent;

    @Override
    public void run() {
        Session session = parent.session();
        List<SharingAsk.Entry> clusters = new ArrayList<>();
        files.forEach(file -> clusters.addAll(MixFile.read(file, session.environment())));
        var estimates =
                session.client().whatIf(new SharingAsk(clusters, machines == null ? List.of() : machines, racks));
        session.print(
                estimates,
                () -> SharingScreen.show(
                        estimates, Instant.now(), session.console().width()));
    }
}
