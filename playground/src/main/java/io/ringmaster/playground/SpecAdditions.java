package io.ringmaster.playground;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requested additions to the example spec.
 *
 * @param engine storage engine to install beside Cassandra's own, or null
 * @param jvmOptions options of the nodes' Java virtual machine, after Ringmaster's own
 * @param role name of a CQL role with a generated password and all permissions on data, or null
 * @param parameters of cassandra.yaml: names to values in YAML
 */
public record SpecAdditions(
        @Nullable Engine engine, List<String> jvmOptions, @Nullable String role, Map<String, String> parameters) {
    static final SpecAdditions NONE = new SpecAdditions(null, List.of(), null, Map.of());

    public SpecAdditions {
        jvmOptions = List.copyOf(jvmOptions);
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    boolean isEmpty() {
        return equals(NONE);
    }

    /** Storage engines, by their name in the field {@code engine} of a spec. */
    public enum Engine {
        ROCKSDB;

        String field() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
