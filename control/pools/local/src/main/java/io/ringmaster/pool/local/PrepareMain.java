package io.ringmaster.pool.local;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.pool.local.binaries.Binaries;
import io.ringmaster.pool.local.binaries.BinariesUnavailableException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Fetches Cassandra into the cache before any node needs it: {@code --version 5.0.9 --cache <dir> --dist <dir>}.
 * With {@code --jars-only}, which needs no {@code --dist}, it makes no class data archive.
 * Prints one line per stage to standard output. On failure prints the cause to standard error and exits with 1; exits
 * with 2 for a missing option.
 */
public final class PrepareMain {
    private PrepareMain() {}

    public static void main(String[] args) throws InterruptedException {
        List<String> words = Arrays.asList(args);
        String version = value(words, "--version");
        var binaries = new Binaries(Path.of(value(words, "--cache")), null);
        try {
            if (words.contains("--jars-only")) {
                System.out.println(
                        "Cassandra " + version + " is ready in " + binaries.jars(version, System.out::println));
                return;
            }
            var executor = new CassandraExecutor(Path.of(value(words, "--dist")), binaries, null);
            var prepared = executor.prepare(version, System.out::println);
            System.out.println("Cassandra " + version + " and "
                    + (prepared.archive().isPresent() ? "its class data archive are ready" : "no class data archive"));
        } catch (BinariesUnavailableException e) {
            System.err.println(ThrowableText.of(e));
            System.exit(1);
        }
    }

    private static String value(List<String> words, String option) {
        int at = words.indexOf(option);
        if (at < 0 || at + 1 >= words.size()) {
            System.err.println(option + ": missing");
            System.exit(2);
        }
        return words.get(at + 1);
    }
}
