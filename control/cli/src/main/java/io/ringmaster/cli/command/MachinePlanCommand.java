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

/** {@code ringmaster machine plan}: the number of machines that planned clusters would need. */
@Command(
        name = "plan",
        description = {
            "Estimate the number of machines for a mix of clusters in each datacenter: when they share machines, as "
                    + "Ringmaster places them, and when each cluster has its own machines. Nothing is changed."
        },
        footer = {
            "",
            "A mix lists spec files, relative to its own folder. Each entry can have a count of clusters, and a",
            "number of nodes in each datacenter that replaces the one in the spec:",
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
            description = "Capacity of each machine, such as cpus=32,memory=128GiB,disk=2TiB; several shapes alternate "
                    + "(default: the shapes of each datacenter's pool).")
    private @Nullable List<String> machines;

    @Option(
            names = "--racks",
            paramLabel = "N",
            description = "Racks r1 to rN in each datacenter (default: the racks of its pool, or 3 if it has none).")
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
