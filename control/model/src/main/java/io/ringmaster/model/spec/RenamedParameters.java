package io.ringmaster.model.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The parameters of cassandra.yaml that Cassandra 5.0 also takes by a former name. It refuses a file with both names.
 */
public final class RenamedParameters {
    private static final String TABLE = "cassandra-5.0-renamed.tsv";

    /** The current name of each former name. */
    public static final Map<String, String> CURRENT = read();

    private RenamedParameters() {}

    /** The name under which Cassandra 5.0 keeps the parameter. */
    public static String current(String name) {
        return CURRENT.getOrDefault(name, name);
    }

    /** The current names of all given parameters that are given by a former name. */
    public static Set<String> replacedBy(Set<String> given) {
        return given.stream().filter(CURRENT::containsKey).map(CURRENT::get).collect(Collectors.toUnmodifiableSet());
    }

    private static Map<String, String> read() {
        try (InputStream table = RenamedParameters.class.getResourceAsStream(TABLE)) {
            if (table == null) {
                throw new IllegalStateException(TABLE + " is not on the class path");
            }
            Map<String, String> current = new TreeMap<>();
            new String(table.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                String[] names = line.split("\t", 2);
                current.put(names[0], names[1]);
            });
            return Map.copyOf(current);
        } catch (IOException e) {
            throw new UncheckedIOException("read " + TABLE, e);
        }
    }
}
