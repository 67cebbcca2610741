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
 * What a running daemon is told to change.
 *
 * @param values by parameter
 * @param defaults parameters that are to have Cassandra's own default again
 */
public record LiveChange(Map<String, Object> values, List<String> defaults) {
    public LiveChange {
        values = Ordered.copy(values);
        defaults = List.copyOf(defaults);
    }

    /**
     * From what a daemon has to a cassandra.yaml that differs in nothing else.
     *
     * @return empty if only a restart brings it about: a value is gone whose default is not known
     */
    public static Optional<LiveChange> between(LiveSettings has, Map<String, Object> cassandraYaml) {
        Map<String, Object> wanted = LiveParameters.of(cassandraYaml);
        Set<String> names = LiveParameters.changed(has.configured(), wanted);
        names.addAll(has.unsure());
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
