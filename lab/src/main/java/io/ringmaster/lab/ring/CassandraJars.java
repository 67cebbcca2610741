package io.ringmaster.lab.ring;

import io.ringmaster.lab.machine.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The jars of stock Cassandra, of the version that pom.xml names. A program of the product fetches them through Maven
 * into the cache of the lab's home, which playgrounds of the lab use too.
 */
public final class CassandraJars {
    private static final Pattern VERSION = Pattern.compile("<cassandra.version>([^<]+)</");
    private static final String PROGRAM = "io.ringmaster.pool.local.PrepareMain";

    private CassandraJars() {}

    /**
     * @param root folder of the checkout
     * @return folder of the jars, all of them for the class path
     * @throws IOException they cannot be fetched; the message says why and what to do
     */
    public static Path folder(Path root) throws IOException, InterruptedException {
        String version = version(Files.readString(root.resolve("pom.xml")));
        Path cache = home(root).resolve("cache");
        Path dist = Path.of(System.getProperty(
                "ringmaster.dist", root.resolve(".build/dist").toString()));
        if (!Files.isDirectory(dist.resolve("server"))) {
            throw new IOException(dist + " is not built; run ./dev build");
        }
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        ProgramRun.run(List.of(
                java,
                "-cp",
                dist.resolve("server") + "/*",
                PROGRAM,
                "--version",
                version,
                "--cache",
                cache.toString(),
                "--jars-only"));
        return cache.resolve("cassandra").resolve(version).resolve("lib");
    }

    /** Ringmaster's home for the lab, so that a user's playground is not touched. */
    static Path home(Path root) {
        return root.resolve(".build/lab/home");
    }

    static String version(String pom) throws IOException {
        Matcher version = VERSION.matcher(pom);
        if (!version.find()) {
            throw new IOException("pom.xml names no cassandra.version");
        }
        return version.group(1);
    }
}
