package io.ringmaster.executor.real;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The jars for a real node, from the class path that Maven resolved for the tests. */
final class CassandraJars {
    private CassandraJars() {}

    /** Links every jar of the class path into one directory, as in an installation. */
    static Path link(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path jar = Path.of(entry);
            if (entry.endsWith(".jar") && !entry.contains("ringmaster") && !entry.contains("junit")) {
                Path link = directory.resolve(jar.getFileName());
                if (!Files.exists(link)) {
                    Files.createSymbolicLink(link, jar);
                }
            }
        }
        return directory;
    }

    /** The companion as a jar, also when Maven only compiled it. */
    static Path companion(Path directory) throws IOException {
        return module("companion", "io/ringmaster/companion/Launch.class", directory);
    }

    /** The RocksDB engine as a jar in a directory of its own; its dependencies are among the other jars. */
    static Path engine(Path directory) throws IOException {
        module("rocksdb-engine", "io/ringmaster/engine/RocksDB.class", Files.createDirectories(directory));
        return directory;
    }

    /** The transfer program as jars in a directory of its own, without the libraries of S3. */
    static Path transfer(Path directory) throws IOException {
        Files.createDirectories(directory);
        module("transfer", "io/ringmaster/transfer/TransferMain.class", directory);
        module("backup", "io/ringmaster/backup/repository/BackupId.class", directory);
        module("model", "io/ringmaster/model/node/NodeTask.class", directory);
        module("json", "io/ringmaster/json/Json.class", directory);
        module("host", "io/ringmaster/host/DurableFiles.class", directory);
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path jar = Path.of(entry);
            if (jar.getFileName().toString().matches("(jackson|snakeyaml-engine)-.*\\.jar")) {
                Files.copy(jar, directory.resolve(jar.getFileName()));
            }
        }
        return directory;
    }

    /** The class path of the tests with a jar in place of each directory of classes. */
    static String packed(Path directory) throws IOException {
        Files.createDirectories(directory);
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            entries.add(
                    Files.isDirectory(path)
                            ? pack(path, directory.resolve("classes-" + entries.size() + ".jar"))
                                    .toString()
                            : entry);
        }
        return String.join(File.pathSeparator, entries);
    }

    /** Adds a class of the tests to a directory of jars. */
    static void add(Class<?> type, Path directory) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path jar = directory.resolve(type.getSimpleName() + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream in = Objects.requireNonNull(type.getResourceAsStream("/" + name))) {
            out.putNextEntry(new JarEntry(name));
            in.transferTo(out);
            out.closeEntry();
        }
    }

    private static Path module(String name, String someClass, Path directory) throws IOException {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.exists(path.resolve(someClass))) {
                return pack(path, directory.resolve(name + ".jar"));
            }
            if (path.getFileName().toString().matches(name + "-.*\\.jar")) {
                return Files.copy(path, directory.resolve(name + ".jar"));
            }
        }
        throw new IOException("no " + name + " on the class path");
    }

    private static Path pack(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                out.write(Files.readAllBytes(file));
                out.closeEntry();
            }
        }
        return jar;
    }
}
