package io.ringmaster.cli;

import io.ringmaster.cli.session.LocalServers;
import java.util.List;

/**
 * The commands of one program.
 *
 * @param commands annotated command classes, in the order of {@code --help}
 * @param examples lines for the end of {@code --help}
 * @param localServers servers that one of the commands starts
 */
public record CommandSet(List<Class<?>> commands, List<String> examples, LocalServers localServers) {
    public CommandSet {
        commands = List.copyOf(commands);
        examples = List.copyOf(examples);
    }
}
