package io.ringmaster.playground.command;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.playground.Sizes;
import io.ringmaster.playground.doctor.Demand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Size of a playground. */
public final class SizeOptions {
    private static final int MOST_DATACENTERS = 9;
    private static final int MOST_NODES = 100;

    @Option(names = "--nodes", paramLabel = "N", description = "Cassandra nodes in each datacenter (default: 3).")
    private @Nullable Integer nodes;

    @Option(
            names = "--datacenters",
            paramLabel = "N",
            description = "Datacenters, each with its own server (default: 2).")
    private @Nullable Integer datacenters;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            converter = Sizes.class,
            description = "Java heap of each node, such as 256MiB (default: the one in examples/rides.yaml).")
    private @Nullable Long heapBytes;

    @Option(
            names = "--spare-machines",
            paramLabel = "N",
            description = "Spare machines in each datacenter, for replacements (default: 0).")
    private @Nullable Integer spareMachines;

    @Option(
            names = "--preset",
            paramLabel = "PRESET",
            description = "Preset of the nodes: ${COMPLETION-CANDIDATES} (default: development). Production has"
                    + " Cassandra's own settings and waits, and locks its memory if permitted.")
    private @Nullable Preset preset;

    /** @param otherwise size for options that are not given */
    public Demand demand(Demand otherwise) {
        int dcs = datacenters == null ? otherwise.datacenters() : datacenters;
        int perDatacenter = nodes == null ? otherwise.nodes() : nodes;
        within("--datacenters", dcs, MOST_DATACENTERS);
        within("--nodes", perDatacenter, MOST_NODES);
        int spare = spareMachines == null ? otherwise.spareMachines() : spareMachines;
        if (spare < 0 || spare > MOST_NODES) {
            throw new Failure(ExitCode.USAGE, "--spare-machines " + spare + " must be 0 to " + MOST_NODES, null);
        }
        return new Demand(
                dcs,
                perDatacenter,
                heapBytes == null ? otherwise.heapBytes() : heapBytes,
                spare,
                preset == null ? otherwise.preset() : preset);
    }

    private static void within(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new Failure(ExitCode.USAGE, option + " " + value + " must be 1 to " + most, null);
        }
    }
}
