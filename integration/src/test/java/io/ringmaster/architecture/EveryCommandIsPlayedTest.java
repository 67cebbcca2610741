package io.ringmaster.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.architecture.RealTestSources.Statement;
import io.ringmaster.cli.Program;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Operations;
import io.ringmaster.launcher.Main;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Every command and every option of the command line is used by a test on real nodes. A loop over names of operations
 * does not count: the command stands in one statement, with its options.
 */
class EveryCommandIsPlayedTest {
    /** Each with the reason why no test on real nodes uses it. A new one gets a test, or a line here. */
    private static final Map<String, String> NEVER = Map.of(
            "backup location add --credentials", "the tests' S3 server gives keys to files only: --credentials-file",
            "backup location add --region", "a region is one of AWS, which no test reaches",
            "cluster apply --force", "DatacentersTest forces by the API",
            "lab run --again", "repeats what --all has measured, which takes an hour",
            "plan retry --step", "ChangesTest retries a whole plan; PlanEngineTest retries one step",
            "playground --wan-bandwidth", "WanTest sets a delay, by one command of tc with the bandwidth");

    /** Operations with a command of their own besides the verbs of a cluster and of a node. */
    private static final Map<String, List<String>> OWN = Map.of(
            "repair", List.of("repair", "start"),
            "backup", List.of("backup", "create"),
            "backup-verify", List.of("backup", "verify"),
            "backup-delete", List.of("backup", "delete"),
            "backup-check", List.of("backup", "location", "check"),
            "evacuate", List.of("machine", "evacuate"));

    /** The options that each operation has besides its parameters. */
    private static final Set<String> ASKED = Set.of("--dry-run", "--yes", "--wait", "--timeout", "--probe", "--why");

    private static final List<Statement> STATEMENTS = RealTestSources.statements();

    /**
     * A command as tests write it, in one of several forms.
     *
     * @param options each with its help: one that several commands have with the same help is one option
     */
    private record Form(List<List<String>> words, Map<String, Set<String>> options) {
        List<Statement> statements() {
            return STATEMENTS.stream()
                    .filter(s -> words.stream().anyMatch(s::runs))
                    .toList();
        }
    }

    @Test
    void every_command_is_used_by_a_test_on_real_nodes() {
        Set<String> missing = new TreeSet<>();
        forms().forEach((name, form) -> {
            if (form.statements().isEmpty()) {
                missing.add(name);
            }
        });
        assertThat(missing).isEqualTo(excused(false));
    }

    @Test
    void every_option_is_used_by_a_test_on_real_nodes() {
        Map<String, Set<String>> names = new TreeMap<>();
        Map<String, Set<String>> owners = new TreeMap<>();
        Set<String> played = new HashSet<>();
        forms().forEach((command, form) -> {
            List<Statement> statements = form.statements();
            form.options().forEach((option, aliases) -> {
                names.put(option, aliases);
                owners.computeIfAbsent(option, o -> new TreeSet<>()).add(command);
                if (statements.stream().anyMatch(s -> s.has(aliases))) {
                    played.add(option);
                }
            });
        });
        Set<String> missing = new TreeSet<>();
        names.keySet().stream()
                .filter(option -> !played.contains(option))
                .forEach(option -> missing.add(
                        owners.get(option).iterator().next() + " " + option.substring(0, option.indexOf(' '))));
        assertThat(missing).isEqualTo(excused(true));
    }

    private static Set<String> excused(boolean options) {
        Set<String> excused = new TreeSet<>(NEVER.keySet());
        excused.removeIf(name -> name.contains(" --") != options);
        return excused;
    }

    /** By the words of the command, or by {@code operation NAME}. */
    private static Map<String, Form> forms() {
        Map<String, Form> forms = new TreeMap<>();
        addLeaves(Program.commandLine(Main.COMMANDS, Environment.ofThisProcess()), List.of(), (words, line) -> {
            Map<String, Set<String>> options = new TreeMap<>();
            line.getCommandSpec().options().stream()
                    .filter(o -> !o.inherited() && !o.usageHelp() && !o.versionHelp())
                    .forEach(o -> options.put(described(o), Set.of(o.names())));
            forms.put(String.join(" ", words), new Form(List.of(words), options));
        });
        Map<String, Set<String>> asked =
                new TreeMap<>(forms.get("cluster scale").options());
        asked.keySet().removeIf(option -> !ASKED.contains(option.substring(0, option.indexOf(' '))));
        for (Operation operation : Operations.all()) {
            if (operation.lockScope().isPresent()) {
                Map<String, Set<String>> options = new TreeMap<>(asked);
                operation.params().forEach(p -> {
                    String option = "--" + p.name().replace('_', '-');
                    options.put(option + " " + p.help(), Set.of(option));
                });
                forms.put("operation " + operation.name(), new Form(words(operation), options));
            }
        }
        return forms;
    }

    /** Without the default, which differs between commands. */
    private static String described(OptionSpec option) {
        String help = String.join(" ", option.description()).replaceAll(" \\(default: .*\\)", "");
        return option.longestName() + " " + help;
    }

    private static void addLeaves(CommandLine line, List<String> words, BiConsumer<List<String>, CommandLine> leaf) {
        if (!words.isEmpty() && (line.getSubcommands().isEmpty() || words.equals(List.of("playground")))) {
            leaf.accept(words, line);
        }
        line.getSubcommands().forEach((name, command) -> {
            List<String> more = new ArrayList<>(words);
            more.add(name);
            addLeaves(command, more, leaf);
        });
    }

    private static List<List<String>> words(Operation operation) {
        List<List<String>> words = new ArrayList<>();
        words.add(List.of("cluster", operation.name()));
        words.add(List.of("node", operation.name()));
        if (OWN.containsKey(operation.name())) {
            words.add(OWN.get(operation.name()));
        }
        return words;
    }
}
