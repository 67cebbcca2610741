package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.operation.Evacuation;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.MachineScreen;
import io.ringmaster.cli.session.ConfirmAndWait;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.wire.api.MachineState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster machine}: machines that nodes are placed on. */
@Command(
        name = "machine",
        description = "List machines, cordon and evacuate them.",
        synopsisSubcommandLabel = "VERB",
        subcommands = MachinePlanCommand.class,
        footer = {"", "Examples:", "  ringmaster machine list", "  ringmaster machine cordon dc1/machine-2"})
public final class MachineCommand {
    @ParentCommand
    private SessionSource root;

    Session session() {
        return root.session();
    }

    @Command(
            name = "list",
            description = "List machines with their capacity, free capacity and nodes.",
            footer = {"", "Example:", "  ringmaster machine list -o yaml"})
    void list() {
        Session session = root.session();
        var machines = session.client().machines();
        session.print(
                machines,
                () -> MachineScreen.list(
                        machines, Instant.now(), session.console().width()));
    }

    @Command(
            name = "cordon",
            description = "Place no new nodes on a machine; its nodes keep running.",
            footer = {"", "Example:", "  ringmaster machine cordon dc1/machine-2 --reason \"disk fails\""})
    void cordon(
            @Parameters(paramLabel = "DATACENTER/MACHINE", description = "Such as dc1/machine-2.") String place,
            @Option(
                            names = "--reason",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "The reason, for the audit.")
                    String reason) {
        Session session = root.session();
        Place at = Place.of(place);
        MachineState state = session.client().cordon(at.datacenter(), at.machine(), reason);
        session.print(
                state,
                () -> List.of(Line.of(place + " is cordoned: no new node is placed on it, its nodes keep running")));
    }

    @Command(
            name = "uncordon",
            description = "Allow new nodes on a machine again.",
            footer = {"", "Example:", "  ringmaster machine uncordon dc1/machine-2"})
    void uncordon(@Parameters(paramLabel = "DATACENTER/MACHINE", description = "Such as dc1/machine-2.") String place) {
        Session session = root.session();
        Place at = Place.of(place);
        MachineState state = session.client().uncordon(at.datacenter(), at.machine());
        session.print(state, () -> List.of(Line.of(place + " can take new nodes again")));
    }

    @Command(
            name = "evacuate",
            description = "Cordon a machine and move every node of every cluster to other machines.",
            footer = {"", "Example:", "  ringmaster machine evacuate dc1/machine-2 --dry-run"})
    void evacuate(
            @Parameters(paramLabel = "DATACENTER/MACHINE", description = "Such as dc1/machine-2.") String place,
            @Option(
                            names = "--skip-repair",
                            description =
                                    "Do not repair the ranges before the move: every replica must have every row.")
                    boolean skipRepair,
            @Option(names = "--why", paramLabel = "TEXT", defaultValue = "", description = "The reason, for the audit.")
                    String why,
            @Mixin EvacuateOptions options)
            throws InterruptedException {
        Place at = Place.of(place);
        var evacuation = new Evacuation(root.session(), at.datacenter(), at.machine(), !skipRepair, why);
        if (options.dryRun()) {
            evacuation.show();
        } else {
            evacuation.run(options.yes(), options.waits(), options.timeout());
        }
    }

    static final class EvacuateOptions extends ConfirmAndWait {
        EvacuateOptions() {
            super("4h");
        }
    }

    /** Names of machines are unique in their datacenter only. */
    private record Place(DatacenterName datacenter, MachineName machine) {
        static Place of(String text) {
            String[] parts = text.split("/", -1);
            if (parts.length != 2) {
                throw wrong("'" + text + "' must be DATACENTER/MACHINE, such as dc1/machine-2");
            }
            try {
                return new Place(new DatacenterName(parts[0]), new MachineName(parts[1]));
            } catch (IllegalArgumentException e) {
                throw wrong(ThrowableText.of(e));
            }
        }

        private static Failure wrong(@Nullable String message) {
            return new Failure(ExitCode.USAGE, String.valueOf(message), PROGRAM + " machine list shows both");
        }
    }
}
