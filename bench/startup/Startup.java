import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measures both ways to start six nodes and writes what it found; see README.md. */
public final class Startup {
    private static final Set<String> ARGUMENTS = Set.of("--jars", "--dist", "--baseline", "--rounds", "--out");

    private Startup() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> given = new TreeMap<>(Map.of("--baseline", "true", "--rounds", "3", "--out", ".build/bench/startup"));
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            if (!ARGUMENTS.contains(arguments[i])) {
                throw new IllegalArgumentException(arguments[i] + " is not one of " + ARGUMENTS);
            }
            given.put(arguments[i], arguments[i + 1]);
        }
        Path jars = Path.of(given.get("--jars")).toAbsolutePath();
        Path dist = Path.of(given.get("--dist")).toAbsolutePath();
        Path out = Files.createDirectories(Path.of(given.get("--out")).toAbsolutePath());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path archive = out.resolve("daemon.jsa");
        Files.deleteIfExists(archive);
        Files.deleteIfExists(out.resolve("executor.jsa"));
        Deploy.makeArchive(archive, jars, dist, java);
        List<Round> rounds = new ArrayList<>();
        for (int round = 0; round < Integer.parseInt(given.get("--rounds")); round++) {
            Path directory = Files.createTempDirectory("deploy");
            try {
                rounds.add(new Deploy(directory, jars, dist, java, archive).run());
                System.out.println(rounds.get(round).json());
            } finally {
                delete(directory);
            }
        }
        if (Boolean.parseBoolean(given.get("--baseline"))) {
            Path directory = Files.createTempDirectory("baseline");
            try {
                rounds.add(new Baseline(directory, jars, java).run());
            } finally {
                delete(directory);
            }
        }
        Files.writeString(
                out.resolve("startup.json"),
                rounds.stream().map(Round::json).collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n")));
        Files.writeString(out.resolve("startup.md"), markdown(rounds));
        System.out.println(markdown(rounds));
    }

    static double secondsSince(long begin) {
        return Math.round((System.nanoTime() - begin) / 1e8) / 10.0;
    }

    private static String markdown(List<Round> rounds) {
        int cores = Runtime.getRuntime().availableProcessors();
        StringBuilder text = new StringBuilder(
                "| way | every node sees every node NORMAL | processor seconds (per node) | floor on " + cores
                        + " cores | resident | load |\n|---|---|---|---|---|---|\n");
        for (Round round : rounds) {
            double used = round.processorSeconds();
            text.append(String.format(
                    java.util.Locale.ROOT,
                    "| %s | %.1f s | %.1f (%.1f) | %.1f s | %d MiB | %s |%n",
                    round.way(), round.seconds(), used, used / round.daemons().size(), used / cores,
                    round.residentMebibytes(), round.load()));
        }
        return text.toString();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
