package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.VolumeScreen;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.wire.api.VolumeState;
import io.ringmaster.wire.client.Scope;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster volume}: volumes that no node uses any more. */
@Command(
        name = "volume",
        description = {
            "List and destroy the volumes that no node uses any more: of nodes that left, were replaced or moved,",
            "and of deleted clusters. They take room on their machines until they are discarded."
        },
        synopsisSubcommandLabel = "VERB",
        footer = {"", "Examples:", "  ringmaster volume list", "  ringmaster volume discard dc1/rides-dc1-node-2"})
public final class VolumeCommand {
    @ParentCommand
    private SessionSource root;

    @Command(
            name = "list",
            description = "List the volumes that no node uses, with their machine, size and reason.",
            footer = {"", "Example:", "  ringmaster volume list -o json"})
    void list() {
        Session session = root.session();
        var volumes = session.client().volumes(Scope.FLEET);
        session.print(
                volumes,
                () -> VolumeScreen.list(
                        volumes, Instant.now(), session.console().width()));
    }

    @Command(
            name = "discard",
            description = {
                "Destroy a volume that no node uses, with its rows. It cannot be undone.",
                "If the machine of the volume is away, the volume is destroyed once the machine is back",
                "and has it released."
            },
            footer = {"", "Example:", "  ringmaster volume discard dc1/rides-dc1-node-2 --dry-run"})
    void discard(
            @Parameters(paramLabel = "DATACENTER/VOLUME", description = "Such as dc1/rides-dc1-node-2.") String volume,
            @Option(names = "--dry-run", description = "Check the request, destroy nothing.") boolean dryRun,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Do not ask.")
                    boolean yes) {
        Session session = root.session();
        Place at = Place.of(volume);
        VolumeState state = session.client().discardVolume(at.datacenter(), at.volume(), true);
        if (!dryRun) {
            VolumeScreen.consequences(state).forEach(session.console()::note);
            session.confirm("Destroy " + volume + "?", yes);
            state = session.client().discardVolume(at.datacenter(), at.volume(), false);
        }
        VolumeState discarded = state;
        session.print(discarded, () -> dryRun ? VolumeScreen.dryRun(discarded) : VolumeScreen.discarded(discarded));
    }

    private record Place(DatacenterName datacenter, AllocationId volume) {
        static Place of(String text) {
            String[] parts = text.split("/", -1);
            if (parts.length != 2) {
                throw wrong("'" + text + "' must be DATACENTER/VOLUME, such as dc1/rides-dc1-node-2");
            }
            try {
                return new Place(new DatacenterName(parts[0]), new AllocationId(parts[1]));
            } catch (IllegalArgumentException e) {
                throw wrong(ThrowableText.of(e));
            }
        }

        private static Failure wrong(String message) {
            return new Failure(ExitCode.USAGE, message, PROGRAM + " volume list shows both");
        }
    }
}
