package io.ringmaster.executor.settings;

import io.ringmaster.executor.daemon.LiveSettings;
import io.ringmaster.model.Ordered;
import io.ringmaster.model.spec.LiveParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A change of parameters in a running daemon.
 *
 * @param values the new values by parameter
 * @param defaults the parameters to reset to Cassandra's default
 */
public record LiveChange(Map<String, Object> values, List<String> defaults) {
    public LiveChange {
        values = Ordered.copy(values);
        defaults = List.copyOf(defaults);
    }

    /**
     * The change from a daemon's settings to a cassandra.yaml that differs only in live parameters.
     *
     * @return empty if the change needs a restart: a value was removed whose default is unknown
     */
    public static Optional<LiveChange> between(LiveSettings current, Map<String, Object> cassandraYaml) {
        Map<String, Object> wanted = LiveParameters.of(cassandraYaml);
        Set<String> names = LiveParameters.changed(current.configured(), wanted);
        names.addAll(current.unsure());
        Map<String, Object> values = new TreeMap<>(wanted);
        values.keySet().retainAll(names);
        List<String> defaults = new ArrayList<>(names);
        defaults.removeAll(values.keySet());
        return defaults.stream().allMatch(LiveParameters::hasKnownDefault)
                ? Optional.of(new LiveChange(values, defaults))
                : Optional.empty();
    }

    public boolean changesNothing() {
        return values.isEmpty() && defaults.isEmpty();
    }

    public Set<String> names() {
        Set<String> names = new TreeSet<>(values.keySet());
        names.addAll(defaults);
        return names;
    }
}
