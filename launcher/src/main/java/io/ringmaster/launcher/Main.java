package io.ringmaster.launcher;

import io.ringmaster.cli.CommandSet;
import io.ringmaster.cli.Program;
import io.ringmaster.cli.command.AuditCommand;
import io.ringmaster.cli.command.BackupCommand;
import io.ringmaster.cli.command.ClusterCommand;
import io.ringmaster.cli.command.CompletionCommand;
import io.ringmaster.cli.command.EventsCommand;
import io.ringmaster.cli.command.LoginCommand;
import io.ringmaster.cli.command.MachineCommand;
import io.ringmaster.cli.command.NodeCommand;
import io.ringmaster.cli.command.OperationCommand;
import io.ringmaster.cli.command.PlanCommand;
import io.ringmaster.cli.command.RepairCommand;
import io.ringmaster.cli.command.RestoreCommand;
import io.ringmaster.cli.command.ServerCommand;
import io.ringmaster.cli.command.TokenCommand;
import io.ringmaster.cli.command.VersionCommand;
import io.ringmaster.cli.command.VolumeCommand;
import io.ringmaster.cli.command.WebCommand;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cqlshell.CqlCommand;
import io.ringmaster.lab.command.LabCommand;
import io.ringmaster.playground.RunningPlayground;
import io.ringmaster.playground.command.DoctorCommand;
import io.ringmaster.playground.command.PlaygroundCommand;
import java.util.List;

/** Entry point. Adding a command is one line in {@link #COMMANDS}. */
public final class Main {
    public static final CommandSet COMMANDS = new CommandSet(
            List.of(
                    PlaygroundCommand.class,
                    ClusterCommand.class,
                    PlanCommand.class,
                    MachineCommand.class,
                    VolumeCommand.class,
                    NodeCommand.class,
                    RepairCommand.class,
                    BackupCommand.class,
                    RestoreCommand.class,
                    OperationCommand.class,
                    AuditCommand.class,
                    TokenCommand.class,
                    EventsCommand.class,
                    WebCommand.class,
                    LoginCommand.class,
                    CqlCommand.class,
                    LabCommand.class,
                    ServerCommand.class,
                    DoctorCommand.class,
                    VersionCommand.class,
                    CompletionCommand.class),
            List.of(
                    "  ringmaster playground                 a real two-datacenter Cassandra on this computer",
                    "  ringmaster cluster status rides       one screen about a cluster",
                    "  ringmaster cql rides -e \"SELECT ...\"  try a query"),
            new RunningPlayground());

    private Main() {}

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--warm-up")) {
            CliWarmUp.run();
            return;
        }
        System.exit(run(Environment.ofThisProcess(), args));
    }

    /** @return the exit code */
    static int run(Environment environment, String... args) {
        return Program.run(COMMANDS, environment, args);
    }
}
