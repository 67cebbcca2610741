package io.ringmaster.cli.command;

import io.ringmaster.cli.screen.Footers;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.TextTable;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.record.AuditOrigin;
import io.ringmaster.wire.api.AuditEntry;
import io.ringmaster.wire.api.FleetList;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster audit}: the requests that changed something. */
@Command(
        name = "audit",
        description = "Requests with user, time, reason and outcome; newest first.",
        footer = {"", "Example:", "  ringmaster audit -n 20"})
public final class AuditCommand implements Runnable {
    @ParentCommand
    private SessionSource root;

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            defaultValue = "50",
            description = "Number of entries (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Override
    public void run() {
        Session session = root.session();
        FleetList<AuditEntry> entries = session.client().audit(limit);
        session.print(entries, () -> screen(entries, session.console().width()));
    }

    /** The holder of a token with its role. A name alone was stated by a caller with the content of the token file. */
    private static String who(AuditEntry entry) {
        AuditOrigin origin = entry.origin();
        Role role = origin == null || Principal.LOCAL_ADMIN.equals(origin.credential()) ? null : origin.role();
        return role == null ? entry.who() : entry.who() + " (" + role.label() + ")";
    }

    private static List<Line> screen(FleetList<AuditEntry> entries, int width) {
        TextTable table = new TextTable()
                .column("AT")
                .column("IN")
                .text("WHO")
                .text("WHAT")
                .text("OUTCOME");
        entries.items()
                .forEach(e -> table.row(
                        e.at().truncatedTo(ChronoUnit.SECONDS), e.datacenter(), who(e), e.what(), e.outcome()));
        List<Line> lines = new ArrayList<>(table.isEmpty() ? List.of(Line.of("nothing yet")) : table.lines(width));
        lines.addAll(Footers.unanswered(entries.unanswered(), Instant.now(), width));
        return lines;
    }
}
