package io.ringmaster.model.spec;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parameters of cassandra.yaml that Cassandra 5.0 also takes by a former name. It refuses a file with both names.
 */
public final class RenamedParameters {
    /** The current name of each former name. */
    public static final Map<String, String> CURRENT = CassandraTable.rows().stream()
            .filter(RenamedParameters::isFormerName)
            .collect(Collectors.toUnmodifiableMap(row -> row.get(0), row -> row.get(3)));

    private RenamedParameters() {}

    /** The name under which Cassandra 5.0 keeps the parameter. */
    public static String current(String name) {
        return CURRENT.getOrDefault(name, name);
    }

    /** The current names of all given parameters that are given by a former name. */
    public static Set<String> replacedBy(Set<String> given) {
        return given.stream().filter(CURRENT::containsKey).map(CURRENT::get).collect(Collectors.toUnmodifiableSet());
    }

    /** Of cassandra.yaml itself, not of a mapping in it. */
    private static boolean isFormerName(List<String> row) {
        return !row.get(3).isEmpty() && row.get(0).indexOf('.') < 0;
    }
}
