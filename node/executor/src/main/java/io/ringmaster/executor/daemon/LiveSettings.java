package io.ringmaster.executor.daemon;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.ringmaster.model.Ordered;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The parameters of a running daemon that can be changed without a restart.
 *
 * @param configured the live parameters of the spec that the daemon was last given
 * @param unsure the parameters of a change that was started and may or may not have happened
 * @param reported the parameters changed since the daemon's start, with the values that the daemon reported
 */
public record LiveSettings(
        Map<String, Object> configured, List<String> unsure, @JsonAlias("told") Map<String, String> reported) {
    public LiveSettings {
        configured = Ordered.copy(configured);
        unsure = List.copyOf(unsure);
        reported = Ordered.copy(reported);
    }

    /** The settings of a daemon at its start. */
    public static LiveSettings started(Map<String, Object> configured) {
        return new LiveSettings(configured, List.of(), Map.of());
    }

    LiveSettings changing(Set<String> names) {
        Set<String> all = new TreeSet<>(unsure);
        all.addAll(names);
        return new LiveSettings(configured, List.copyOf(all), reported);
    }

    LiveSettings changed(Map<String, Object> now, Map<String, String> answer) {
        Map<String, String> all = new TreeMap<>(reported);
        all.putAll(answer);
        return new LiveSettings(now, List.of(), all);
    }
}
