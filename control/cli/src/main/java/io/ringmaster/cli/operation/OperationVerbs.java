package io.ringmaster.cli.operation;

import io.ringmaster.cli.screen.OperationNames;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.wire.api.OperationInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/**
 * Adds the operations of the server as verbs: {@code cluster restart rides --rack r1}, {@code node restart
 * rides/dc1/node-0} for one node, and {@code repair start rides}. The catalogue is requested only when such a verb is
 * used.
 */
public final class OperationVerbs {
    private static final String CLUSTER = "cluster";
    private static final String NODE = "node";
    private static final String START = "start";

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
        String noun = words.isEmpty() ? "" : words.get(0);
        if (words.size() < 2 || !(noun.equals(CLUSTER) || noun.equals(NODE) || noun.equals(OperationNames.REPAIR))) {
            return;
        }
        String verb = words.get(1);
        CommandLine command = line.getSubcommands().get(noun);
        if (command == null || command.getSubcommands().containsKey(verb)) {
            return;
        }
        if (noun.equals(OperationNames.REPAIR) && !verb.equals(START)) {
            return;
        }
        for (OperationInfo operation :
                root.session(prelude.server, prelude.tokenFile).client().operations()) {
            if (noun.equals(OperationNames.REPAIR)) {
                if (operation.name().equals(OperationNames.REPAIR)) {
                    command.addSubcommand(
                            START, new AskCommand(root, operation, false).spec().name(START));
                }
                continue;
            }
            boolean fits = operation.lockScope() != null
                    && (noun.equals(CLUSTER) || hasNode(operation))
                    && !command.getSubcommands().containsKey(operation.name());
            if (fits) {
                AskCommand ask = new AskCommand(root, operation, noun.equals(NODE));
                command.addSubcommand(operation.name(), ask.spec());
            }
        }
    }

    private static boolean hasNode(OperationInfo operation) {
        return operation.params().stream().anyMatch(p -> p.name().equals(NODE));
    }
}
