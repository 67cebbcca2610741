package io.ringmaster.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Program;
import io.ringmaster.cli.session.Environment;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
    private final CommandLine line = Program.commandLine(Main.COMMANDS, Environment.ofThisProcess());

    @Test
    void commands_of_all_modules_are_listed_in_one_order() {
        assertThat(line.getSubcommands().keySet())
                .containsExactly(
                        "playground",
                        "cluster",
                        "plan",
                        "machine",
                        "volume",
                        "node",
                        "repair",
                        "backup",
                        "restore",
                        "operation",
                        "audit",
                        "token",
                        "events",
                        "web",
                        "login",
                        "cql",
                        "lab",
                        "server",
                        "doctor",
                        "version",
                        "completion");
    }

    @Test
    void every_command_has_help_with_a_description() {
        assertHelp(line);
    }

    private static void assertHelp(CommandLine command) {
        assertThat(command.getUsageMessage()).contains("--help");
        assertThat(command.getCommandSpec().usageMessage().description())
                .as(command.getCommandName())
                .isNotEmpty();
        command.getSubcommands().values().forEach(MainTest::assertHelp);
    }
}
