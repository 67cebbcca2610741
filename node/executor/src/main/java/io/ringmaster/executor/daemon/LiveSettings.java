package io.ringmaster.executor.daemon;

import io.ringmaster.model.Ordered;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The parameters of a running daemon that can be changed without a restart.
 *
 * @param configured those of the spec, as they were set last
 * @param unsure what was about to be changed when this was written, and may or may not be so now
 * @param told what was changed since the daemon started, as it answered
 */
public record LiveSettings(Map<String, Object> configured, List<String> unsure, Map<String, String> told) {
    public LiveSettings {
        configured = Ordered.copy(configured);
        unsure = List.copyOf(unsure);
        told = Ordered.copy(told);
    }

    /** Those that a daemon starts with. */
    public static LiveSettings started(Map<String, Object> configured) {
        return new LiveSettings(configured, List.of(), Map.of());
    }

    LiveSettings changing(Set<String> names) {
        Set<String> all = new TreeSet<>(unsure);
        all.addAll(names);
        return new LiveSettings(configured, List.copyOf(all), told);
    }

    LiveSettings changed(Map<String, Object> now, Map<String, String> answer) {
        Map<String, String> all = new TreeMap<>(told);
        all.putAll(answer);
        return new LiveSettings(now, List.of(), all);
    }
}
