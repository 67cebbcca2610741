package io.ringmaster.cli;

import io.ringmaster.cli.operation.OperationVerbs;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.UnreachableException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Starts the command line. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--warm-up")) {
            CliWarmUp.run();
            return;
        }
        System.exit(run(Environment.ofThisProcess(), args));
    }

    /** @return the exit code */
    public static int run(Environment surroundings, String... args) {
        Ringmaster root = new Ringmaster(surroundings);
        CommandLine line = new CommandLine(root);
        try {
            OperationVerbs.addTo(line, args, root);
        } catch (Failure | RefusedException | UnreachableException e) {
            return report(root.console(), e);
        }
        return configured(line, root, surroundings).execute(args);
    }

    static CommandLine commandLine(Environment surroundings) {
        Ringmaster root = new Ringmaster(surroundings);
        return configured(new CommandLine(root), root, surroundings);
    }

    private static CommandLine configured(CommandLine line, Ringmaster root, Environment surroundings) {
        line.registerConverter(ClusterName.class, name(ClusterName::new));
        line.registerConverter(DatacenterName.class, name(DatacenterName::new));
        line.registerConverter(NodeId.class, name(NodeId::of));
        addHelp(line);
        line.setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setAbbreviatedOptionsAllowed(false);
        line.setUsageHelpWidth(100);
        line.setUsageHelpAutoWidth(false);
        line.setUsageHelpLongOptionsMaxWidth(30);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(
                root.console().abilities().colour() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
        line.setParameterExceptionHandler((e, ignored) -> usage(root, e));
        line.setExecutionExceptionHandler((e, command, parsed) -> report(root.console(), e));
        return line;
    }

    /** To every command below the root, which has it already. */
    private static void addHelp(CommandLine line) {
        for (CommandLine command : line.getSubcommands().values()) {
            command.getCommandSpec()
                    .addOption(CommandLine.Model.OptionSpec.builder("-h", "--help")
                            .usageHelp(true)
                            .description("Show this help.")
                            .build());
            addHelp(command);
        }
    }

    private static <N> CommandLine.ITypeConverter<N> name(Function<String, N> parse) {
        return text -> {
            try {
                return parse.apply(text);
            } catch (IllegalArgumentException e) {
                throw new CommandLine.TypeConversionException(e.getMessage());
            }
        };
    }

    private static int usage(Ringmaster root, ParameterException e) {
        Console console = root.console();
        CommandLine command = e.getCommandLine();
        console.note(error(String.valueOf(e.getMessage())));
        if (e instanceof UnmatchedArgumentException unmatched) {
            unmatched.getSuggestions().stream()
                    .findFirst()
                    .ifPresent(s -> console.note(next("did you mean " + s + "?")));
        }
        console.note(next(command.getCommandSpec().qualifiedName() + " --help"));
        return ExitCode.USAGE.number();
    }

    private static int report(Console console, Exception e) {
        if (e instanceof Failure failure) {
            List<String> lines = String.valueOf(failure.getMessage()).lines().toList();
            console.note(error(lines.get(0)));
            lines.stream().skip(1).map(Line::of).forEach(console::note);
            tryNext(console, failure.nextStep());
            return failure.code().number();
        }
        if (e instanceof RefusedException refused) {
            refused.problems().forEach(p -> refusal(console, p));
            return refused.status() >= 500 ? ExitCode.FAILED.number() : ExitCode.REFUSED.number();
        }
        if (e instanceof UnreachableException) {
            console.note(error(String.valueOf(e.getMessage())));
            tryNext(console, "ringmaster playground status, or look at the server's log");
            return ExitCode.UNREACHABLE.number();
        }
        if (e instanceof InterruptedException) {
            return ExitCode.INTERRUPTED.number();
        }
        console.note(error(e.getMessage() == null ? e.toString() : e.getMessage()));
        if (e instanceof RuntimeException && !(e instanceof java.io.UncheckedIOException)) {
            console.note(Line.of(Style.DIM, "  this is a fault of ringmaster itself: " + e.getStackTrace()[0]));
        }
        return ExitCode.FAILED.number();
    }

    private static void refusal(Console console, Problem problem) {
        String field = problem.field() == null ? "" : problem.field() + ": ";
        console.note(error(field + problem.message()));
        String next = problem.nextStep() == null && problem.code() == ErrorCode.UNAUTHORIZED
                ? "name the file with the token by --token-file"
                : problem.nextStep() == null ? null : problem.nextStep().toString();
        tryNext(console, next);
    }

    private static void tryNext(Console console, @Nullable String step) {
        if (step != null) {
            console.note(next(step));
        }
    }

    private static Line error(String cause) {
        return Line.of(Style.BAD, "error: ").and(cause);
    }

    private static Line next(String step) {
        return Line.of(Style.DIM, "  try: ").and(step);
    }
}
