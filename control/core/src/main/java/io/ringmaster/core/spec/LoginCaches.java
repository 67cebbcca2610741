package io.ringmaster.core.spec;

import io.ringmaster.model.spec.ClusterSpec;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,12})\\s*([a-z]*)");

    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "ns", ChronoUnit.NANOS,
            "us", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

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

    /**
     * How long each node with one of these specs uses what it has read while it cannot read again: {@code 1h}, or each
     * time where they differ.
     */
    public static String validity(Collection<ClusterSpec> specs) {
        Map<String, String> each = new LinkedHashMap<>();
        for (String cache : CACHES) {
            String name = validity(cache);
            each.put(
                    name,
                    specs.stream()
                            .map(s -> StoredParameters.text(s.cassandraYaml(), name)
                                    .orElse(CASSANDRA_VALIDITY))
                            .min(Comparator.comparing(LoginCaches::time))
                            .orElse(CASSANDRA_VALIDITY));
        }
        return Set.copyOf(each.values()).size() == 1
                ? each.values().iterator().next()
                : each.entrySet().stream()
                        .map(e -> e.getValue() + " (" + e.getKey() + ")")
                        .collect(Collectors.joining(", "));
    }

    /** Of a value that the spec was accepted with; a number without unit is in milliseconds. */
    private static Duration time(String text) {
        Matcher matcher = WRITTEN.matcher(text);
        return matcher.matches()
                ? UNITS.getOrDefault(matcher.group(2), ChronoUnit.MILLIS)
                        .getDuration()
                        .multipliedBy(Long.parseLong(matcher.group(1)))
                : Duration.ZERO;
    }
}
