import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measures both ways to start six nodes and writes the results; see README.md. */
public final class Startup {
    private static final String RINGMASTER = "Ringmaster";
    private static final Map<String, String> ARGUMENTS = Map.of(
            "--baseline-nodes", "" + Fleet.SIZE,
            "--rounds", "3",
            "--out", ".build/bench/startup");

    private Startup() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> given = new TreeMap<>(ARGUMENTS);
        for (int i = 0; i < arguments.length; i += 2) {
            if (!ARGUMENTS.containsKey(arguments[i]) || i + 1 == arguments.length) {
                throw new IllegalArgumentException(arguments[i] + " is unknown or has no value; options and defaults: " + ARGUMENTS);
            }
            given.put(arguments[i], arguments[i + 1]);
        }
        Path out = Files.createDirectories(Path.of(given.get("--out")).toAbsolutePath());
        Deploy deploy = new Deploy(Path.of("").toAbsolutePath(), out.resolve("home"));
        int baselineNodes = Integer.parseInt(given.get("--baseline-nodes"));
        List<Round> rounds = new ArrayList<>();
        for (int round = 1; round <= Integer.parseInt(given.get("--rounds")); round++) {
            add(rounds, deploy.run(RINGMASTER + ", round " + round));
            if (round == 1 && baselineNodes > 0) {
                add(rounds, baseline(out.resolve("baseline"), deploy.jars(), baselineNodes));
            }
        }
        Files.writeString(
                out.resolve("startup.json"),
                rounds.stream().map(Round::json).collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n")));
        Files.writeString(out.resolve("startup.md"), Table.markdown(rounds, RINGMASTER));
        System.out.println(Files.readString(out.resolve("startup.md")));
    }

    private static void add(List<Round> rounds, Round round) {
        rounds.add(round);
        System.out.println(round.json());
    }

    private static Round baseline(Path directory, Path jars, int nodes) throws IOException, InterruptedException {
        delete(directory);
        try {
            return new Baseline(directory, jars).run(nodes);
        } finally {
            delete(directory);
        }
    }

    static double rounded(double seconds) {
        return Math.round(seconds * 10) / 10.0;
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
