package io.ringmaster.pool.local.binaries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JDKs and JREs on this computer: that of this process, JAVA_HOME, {@code java} on PATH, and the usual
 * directories.
 */
public final class JavaHomes {
    /** The Java version that Cassandra 5.0 is tested with. */
    public static final int WANTED = 17;

    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(?:1\\.)?(\\d+)([^\"]*)\"");

    /** @param feature the first number of the version, such as 17 */
    public record JavaHome(Path home, int feature, String version) {
        public Path java() {
            return home.resolve("bin/java");
        }
    }

    private final List<JavaHome> found;

    private JavaHomes(List<JavaHome> found) {
        this.found = List.copyOf(found);
    }

    public static JavaHomes onThisComputer() {
        return among(
                Path.of(System.getProperty("java.home")),
                System.getenv("JAVA_HOME"),
                System.getenv().getOrDefault("PATH", ""),
                List.of(
                        Path.of("/usr/lib/jvm"),
                        Path.of("/opt"),
                        Path.of(System.getProperty("user.home"), ".sdkman", "candidates", "java"),
                        Path.of(System.getProperty("user.home"), ".jdks")));
    }

    /** @param parents directories that contain Java homes */
    static JavaHomes among(Path running, @Nullable String javaHome, String path, List<Path> parents) {
        Set<Path> candidates = new LinkedHashSet<>();
        candidates.add(running);
        if (javaHome != null && !javaHome.isBlank()) {
            candidates.add(Path.of(javaHome));
        }
        Arrays.stream(path.split(":", -1))
                .filter(d -> !d.isBlank())
                .map(d -> Path.of(d, "java"))
                .filter(Files::isExecutable)
                .forEach(java -> candidates.add(homeOf(java)));
        parents.forEach(parent -> candidates.addAll(subdirectories(parent)));
        Set<Path> seen = new LinkedHashSet<>();
        List<JavaHome> homes = new ArrayList<>();
        for (Path candidate : candidates) {
            read(candidate).filter(home -> seen.add(home.home())).ifPresent(homes::add);
        }
        return new JavaHomes(homes);
    }

    private static Path homeOf(Path java) {
        try {
            return java.toRealPath().resolve("../..").normalize();
        } catch (IOException e) {
            return java.resolve("../..").normalize();
        }
    }

    private static List<Path> subdirectories(Path parent) {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Optional<JavaHome> read(Path candidate) {
        try {
            Path home = candidate.toRealPath();
            Matcher version = VERSION.matcher(Files.readString(home.resolve("release")));
            if (Files.isExecutable(home.resolve("bin/java")) && version.find()) {
                int feature = Integer.parseInt(version.group(1));
                return Optional.of(new JavaHome(home, feature, version.group(1) + version.group(2)));
            }
        } catch (IOException e) {
            // not a Java home
        }
        return Optional.empty();
    }

    public List<JavaHome> all() {
        return found;
    }

    public Optional<JavaHome> find(int feature) {
        return found.stream().filter(home -> home.feature() == feature).findFirst();
    }

    /**
     * @throws BinariesUnavailableException the message lists the installed versions and how to install the right one
     */
    public JavaHome require(int feature) throws BinariesUnavailableException {
        return find(feature)
                .orElseThrow(() -> new BinariesUnavailableException("no Java " + feature + " on this computer (found: "
                        + (found.isEmpty()
                                ? "none"
                                : String.join(
                                        ", ",
                                        found.stream().map(JavaHome::version).toList()))
                        + "); install one, such as apt-get install openjdk-" + feature
                        + "-jdk-headless, or set JAVA_HOME"));
    }
}
