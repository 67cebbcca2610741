package io.ringmaster.lab.load;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.machine.BuildCache;
import io.ringmaster.lab.machine.ProgramRun;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The real cassandra-stress, of Cassandra 4.0-alpha2: Maven has no later one. It runs on Java 17 against Cassandra 5.0
 * with two jars of 5.0.9 before its own: the driver, and HdrHistogram, whose former version needs a class that Java 17
 * has not. Without that its reports end after a second, and it exits with 0 all the same.
 */
public final class CassandraStress {
    private static final List<String> FIRST =
            List.of("org.apache.cassandra:cassandra-driver-core", "org.hdrhistogram:HdrHistogram");
    private static final String TARBALL = "org.apache.cassandra:apache-cassandra";
    /** To start, to connect, and its own pauses after it has created the keyspace. */
    private static final Duration SLACK = Duration.ofMinutes(2);

    private final Bench bench;
    private final Path folder;
    private final String classPath;

    private CassandraStress(Bench bench, Path folder, String classPath) {
        this.bench = bench;
        this.folder = folder;
        this.classPath = classPath;
    }

    /** @throws IOException it cannot be fetched from Maven */
    public static CassandraStress of(Bench bench) throws IOException, InterruptedException {
        Path programs = bench.root().resolve("lab/programs.txt");
        Path cache = BuildCache.folder(bench.root(), System.getenv(), "lab");
        Path home = bench.folder("cassandra-stress");
        List<Path> jars = new ArrayList<>();
        for (String artifact : FIRST) {
            jars.add(MavenFile.named(programs, artifact).fetch(bench, cache));
        }
        Path tarball = MavenFile.named(programs, TARBALL).fetch(bench, cache);
        ProgramRun.run(List.of("tar", "--extract", "--file=" + tarball, "--directory=" + home, "--strip-components=1"));
        return new CassandraStress(bench, bench.folder("load"), classPath(jars, home));
    }

    private static String classPath(List<Path> first, Path home) {
        return Stream.concat(
                        first.stream(),
                        Stream.of(home.resolve("tools/lib/stress.jar"), home.resolve("lib/*"), home.resolve("conf")))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** @throws IOException it failed, or its log lacks operations; the message has its reason */
    public StressResult run(String name, StressOptions options, Hosts hosts) throws IOException, InterruptedException {
        return run(name, options, hosts, () -> {});
    }

    /**
     * Runs it beside something, which is called when its first second is reported.
     *
     * @throws IOException it failed, or its log lacks operations; the message has its reason
     */
    public StressResult run(String name, StressOptions options, Hosts hosts, Metronome.During during)
            throws IOException, InterruptedException {
        Path log = folder.resolve(name + ".hdr");
        List<String> command = command(options.arguments(hosts, log.toString()));
        try (Child child = Child.start(bench, name, folder, command)) {
            child.awaitLine(child.out(), line -> line.startsWith("total,"), SLACK);
            if (child.isAlive()) {
                during.run();
            }
            int code = child.await(options.expected().plus(SLACK));
            if (code != 0) {
                throw child.failed(code);
            }
            return StressResult.read(Child.lines(child.out()), log);
        }
    }

    private List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Dcassandra.storagedir=" + folder,
                "-Dlogback.configurationFile=logback-tools.xml",
                "-cp",
                classPath,
                "org.apache.cassandra.stress.Stress"));
        command.addAll(arguments);
        return command;
    }
}
