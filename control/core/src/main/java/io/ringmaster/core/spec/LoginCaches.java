package io.ringmaster.core.spec;

import io.ringmaster.model.spec.ClusterSpec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long a node uses logins, roles and permissions that it has read. Cassandra reads them at LOCAL_QUORUM and keeps
 * them for 2 s. Two replicas have a quorum of two: 2 s after one of them stops, the other refuses every request at any
 * consistency level. So nodes read again what they keep every 10 s, and go on with it for an hour while too few
 * replicas answer.
 */
public final class LoginCaches {
    private static final String VALIDITY = "1h";
    private static final String UPDATE_INTERVAL = "10s";

    /** What Cassandra uses where cassandra.yaml says nothing. */
    private static final String CASSANDRA_VALIDITY = "2s";

    private static final List<String> CACHES = List.of("credentials", "permissions", "roles");

    /** Parameters of cassandra.yaml, by name; a spec may set each of them. */
    static final Map<String, Object> DEFAULTS = defaults();

    private LoginCaches() {}

    private static Map<String, Object> defaults() {
        Map<String, Object> defaults = new TreeMap<>();
        for (String cache : CACHES) {
            defaults.put(validity(cache), VALIDITY);
            defaults.put(cache + "_update_interval", UPDATE_INTERVAL);
            // without it, the first use after any time is answered from what the cache has
            defaults.put(cache + "_cache_active_update", true);
        }
        defaults.put("auth_cache_warming_enabled", true);
        return Collections.unmodifiableMap(defaults);
    }

    private static String validity(String cache) {
        return cache + "_validity";
    }

    /** How long a node uses what it has read while it cannot read again: {@code 1h}, or each where they differ. */
    public static String validity(ClusterSpec spec) {
        List<String> each = CACHES.stream()
                .map(c ->
                        StoredParameters.text(spec.cassandraYaml(), validity(c)).orElse(CASSANDRA_VALIDITY))
                .toList();
        return each.stream().distinct().count() == 1
                ? each.get(0)
                : String.join(
                        ", ",
                        CACHES.stream()
                                .map(c -> each.get(CACHES.indexOf(c)) + " (" + validity(c) + ")")
                                .toList());
    }
}
