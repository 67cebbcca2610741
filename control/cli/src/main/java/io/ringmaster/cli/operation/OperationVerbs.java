package io.ringmaster.cli.operation;

import io.ringmaster.cli.screen.OperationNames;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.wire.api.OperationInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/**
 * Adds the operations of the server as verbs: {@code cluster restart rides --rack r1}, {@code node restart
 * rides/dc1/node-0} for one node, {@code repair start rides} and {@code backup create rides}. The catalogue is
 * requested only when such a verb is used.
 */
public final class OperationVerbs {
    private static final String CLUSTER = "cluster";
    private static final String NODE = "node";

    /** Operations that have a command of their own besides the verbs of a cluster. */
    private static final Map<String, String> ALIASES = Map.of(
            "repair start", OperationNames.REPAIR,
            "backup create", OperationNames.BACKUP,
            "backup verify", OperationNames.BACKUP_VERIFY);

    private OperationVerbs() {}

    /** Options that lead to the server; the rest can be parsed only with its catalogue. */
    @Command
    private static final class Prelude {
        @Option(names = "--server")
        @Nullable
        String server;

        @Option(names = "--token-file")
        @Nullable
        Path tokenFile;

        /** Parsed only so that its value is not taken for a verb. */
        @SuppressWarnings("UnusedVariable")
        @Option(names = {"-o", "--output"})
        @Nullable
        String output;

        @Unmatched
        List<String> rest = new ArrayList<>();
    }

    public static void addTo(CommandLine line, String[] args, SessionSource root) {
        Prelude prelude = new Prelude();
        try {
            new CommandLine(prelude).setUnmatchedArgumentsAllowed(true).parseArgs(args);
        } catch (CommandLine.ParameterException e) {
            return; // the full parser reports the error
        }
        List<String> words =
                prelude.rest.stream().filter(w -> !w.startsWith("-")).toList();
        if (words.size() < 2) {
            return;
        }
        String noun = words.get(0);
        String verb = words.get(1);
        String alias = ALIASES.get(noun + " " + verb);
        CommandLine command = line.getSubcommands().get(noun);
        boolean ofCatalogue = alias != null || noun.equals(CLUSTER) || noun.equals(NODE);
        if (!ofCatalogue || command == null || command.getSubcommands().containsKey(verb)) {
            return;
        }
        for (OperationInfo operation :
                root.session(prelude.server, prelude.tokenFile).client().operations()) {
            if (alias != null && operation.name().equals(alias)) {
                command.addSubcommand(
                        verb,
                        new AskCommand(root, operation, noun + " " + verb, false)
                                .spec()
                                .name(verb));
            }
            boolean fits = alias == null
                    && operation.lockScope() != null
                    && (noun.equals(CLUSTER) || hasNode(operation))
                    && !command.getSubcommands().containsKey(operation.name());
            if (fits) {
                AskCommand ask = new AskCommand(root, operation, noun + " " + operation.name(), noun.equals(NODE));
                command.addSubcommand(operation.name(), ask.spec());
            }
        }
    }

    private static boolean hasNode(OperationInfo operation) {
        return operation.params().stream().anyMatch(p -> p.name().equals(NODE));
    }
}
