package io.ringmaster.cli;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.operation.OperationVerbs;
import io.ringmaster.cli.screen.Invocation;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.LocalServers;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.UnreachableException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs one command line of a set of commands. */
public final class Program {
    private Program() {}

    /** @return the exit code */
    public static int run(CommandSet set, Environment environment, String... args) {
        Ringmaster root = new Ringmaster(environment, set.localServers());
        CommandLine line = line(root, set);
        try {
            OperationVerbs.addTo(line, args, root);
        } catch (Failure | RefusedException | UnreachableException e) {
            return report(root, e);
        }
        return configured(line, root, environment).execute(args);
    }

    /** The assembled commands with the operation that the arguments name, for tests and completion. */
    public static CommandLine commandLine(CommandSet set, Environment environment, String... args) {
        Ringmaster root = new Ringmaster(environment, set.localServers());
        CommandLine line = line(root, set);
        OperationVerbs.addTo(line, args, root);
        return configured(line, root, environment);
    }

    private static CommandLine line(Ringmaster root, CommandSet set) {
        CommandLine line = new CommandLine(root);
        set.commands().forEach(line::addSubcommand);
        var usage = line.getCommandSpec().usageMessage();
        usage.footer(Stream.of(List.of("", "Examples:"), set.examples(), List.of(usage.footer()))
                .flatMap(List::stream)
                .toArray(String[]::new));
        return line;
    }

    private static CommandLine configured(CommandLine line, Ringmaster root, Environment environment) {
        line.registerConverter(ClusterName.class, name(ClusterName::new));
        line.registerConverter(DatacenterName.class, name(DatacenterName::new));
        line.registerConverter(NodeId.class, name(NodeId::of));
        line.registerConverter(TokenId.class, name(TokenId::new));
        line.registerConverter(ClusterPattern.class, name(ClusterPattern::new));
        addHelp(line);
        line.setOut(new PrintWriter(environment.out(), true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(environment.err(), true, StandardCharsets.UTF_8));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setAbbreviatedOptionsAllowed(false);
        line.setUsageHelpWidth(100);
        line.setUsageHelpAutoWidth(false);
        line.setUsageHelpLongOptionsMaxWidth(30);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(
                root.console().abilities().colour() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
        line.setParameterExceptionHandler((e, ignored) -> usage(root, e));
        line.setExecutionExceptionHandler((e, command, parsed) -> report(root, e));
        return line;
    }

    /** The root has these options already. */
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
                throw new CommandLine.TypeConversionException(ThrowableText.of(e));
            }
        };
    }

    private static int usage(Ringmaster root, ParameterException e) {
        Console console = root.console();
        CommandLine command = e.getCommandLine();
        console.note(error(ThrowableText.of(e)));
        if (e instanceof UnmatchedArgumentException unmatched) {
            unmatched.getSuggestions().stream()
                    .findFirst()
                    .ifPresent(s -> console.note(next("did you mean " + s + "?")));
        }
        String path = command.getCommandSpec().qualifiedName().substring(Ringmaster.NAME.length());
        console.note(next(PROGRAM + path + " --help"));
        return ExitCode.USAGE.number();
    }

    private static int report(Ringmaster root, Exception e) {
        Console console = root.console();
        if (e instanceof Failure failure) {
            List<String> lines = ThrowableText.of(failure).lines().toList();
            console.note(error(lines.get(0)));
            lines.stream().skip(1).map(Line::of).forEach(console::note);
            tryNext(console, failure.nextStep());
            return failure.code().number();
        }
        if (e instanceof RefusedException refused) {
            refused.problems().forEach(p -> refusal(console, p));
            return refused.status() >= 500 ? ExitCode.FAILED.number() : ExitCode.REFUSED.number();
        }
        if (e instanceof UnreachableException unreachable) {
            console.note(error(ThrowableText.of(e)));
            if (unreachable.mayBeTaken()) {
                tryNext(
                        console,
                        PROGRAM + " cluster status CLUSTER and " + PROGRAM
                                + " plan list show whether it was taken; do not repeat it before");
            }
            tryNext(console, LocalServers.advice(root.localServers().status(), "look at the server's log"));
            return ExitCode.UNREACHABLE.number();
        }
        if (e instanceof InterruptedException) {
            return ExitCode.INTERRUPTED.number();
        }
        console.note(error(ThrowableText.of(e)));
        if (e instanceof RuntimeException && !(e instanceof java.io.UncheckedIOException)) {
            console.note(Line.of(Style.DIM, "  this is a defect of ringmaster: " + e.getStackTrace()[0]));
        }
        return ExitCode.FAILED.number();
    }

    private static void refusal(Console console, Problem problem) {
        String field = problem.field() == null ? "" : problem.field() + ": ";
        console.note(error(field + problem.message()));
        String next = problem.nextStep() == null && problem.code() == ErrorCode.UNAUTHORIZED
                ? "name the file with the token with --token-file"
                : problem.nextStep() == null ? null : Invocation.wording(problem.nextStep());
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
