package io.ringmaster.cli.command;

import io.ringmaster.cli.session.SessionSource;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code ringmaster completion}: completion for shells. */
@Command(
        name = "completion",
        description = "Print a completion script for bash and zsh.",
        footer = {"", "Example:", "  source <(ringmaster completion)"})
public final class CompletionCommand implements Callable<Integer> {
    @ParentCommand
    private SessionSource root;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        String script = AutoComplete.bash("ringmaster", spec.root().commandLine());
        root.session().console().print(script.stripTrailing());
        return 0;
    }
}
