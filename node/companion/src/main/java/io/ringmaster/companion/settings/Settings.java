package io.ringmaster.companion.settings;

import io.ringmaster.companion.cassandra.FailureText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.YamlConfigurationLoader;
import org.jspecify.annotations.Nullable;

/**
 * Changes parameters in the running Cassandra, all of a request or none. Cassandra's own yaml loader parses the values
 * and its own setters set them.
 */
public final class Settings {
    private final Map<String, Consumer<Config>> setters;
    private final Config running;

    /** Nothing was changed; the reasons are by parameter. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Map<String, String> reasons;

        Refused(Map<String, String> reasons) {
            super(reasons.toString());
            this.reasons = reasons;
        }

        public Map<String, String> reasons() {
            return reasons;
        }
    }

    Settings(Map<String, Consumer<Config>> setters, Config running) {
        this.setters = setters;
        this.running = running;
    }

    /** The settings of this process. To be called only after Cassandra has started. */
    public static Settings ofCassandra() {
        return new Settings(ParameterSetters.ALL, DatabaseDescriptor.getRawConfig());
    }

    /**
     * @param values the new values by parameter, as in cassandra.yaml
     * @param defaults the parameters to reset to Cassandra's default
     * @return the values now in force, as Cassandra reports them
     * @throws Refused nothing was changed
     */
    public synchronized Map<String, String> change(Map<String, Object> values, List<String> defaults) throws Refused {
        Config wanted = ConfigFields.copy(running);
        Map<String, String> refused = new TreeMap<>();
        values.forEach((name, value) -> {
            String why = read(name, value, wanted);
            if (why != null) {
                refused.put(name, why);
            }
        });
        for (String name : defaults) {
            Object original = setters.containsKey(name) ? ConfigFields.get(name, new Config()) : null;
            if (original == null) {
                refused.put(name, "its default is not known while Cassandra runs");
            } else {
                ConfigFields.set(name, wanted, original);
            }
        }
        if (!refused.isEmpty()) {
            throw new Refused(refused);
        }
        List<String> names = new ArrayList<>(values.keySet());
        names.addAll(defaults);
        names.sort(null);
        apply(names, wanted);
        Map<String, String> inForce = new TreeMap<>();
        names.forEach(n -> inForce.put(n, String.valueOf(ConfigFields.get(n, running))));
        return inForce;
    }

    private @Nullable String read(String name, Object value, Config into) {
        if (!setters.containsKey(name)) {
            return "Cassandra reads it only at its start";
        }
        try {
            Config read = YamlConfigurationLoader.fromMap(Map.of(name, value), true, Config.class);
            ConfigFields.set(name, into, ConfigFields.get(name, read));
            return null;
        } catch (RuntimeException e) {
            return FailureText.ofRoot(e);
        }
    }

    private void apply(List<String> names, Config wanted) throws Refused {
        Config before = ConfigFields.copy(running);
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            try {
                setter(name).accept(wanted);
            } catch (Throwable e) { // whatever it is, half of a request must not stay
                revert(names.subList(0, i + 1), before);
                if (e instanceof VirtualMachineError fatal) {
                    throw fatal;
                }
                throw new Refused(Map.of(name, FailureText.ofRoot(e)));
            }
        }
    }

    /** Reverts the refused parameter too: its setter may have stored the value before it failed. */
    private void revert(List<String> names, Config before) {
        for (String name : names) {
            try {
                setter(name).accept(before);
            } catch (Throwable e) { // the others are reverted, too
                ConfigFields.set(name, running, ConfigFields.get(name, before));
            }
        }
    }

    private Consumer<Config> setter(String name) {
        return Objects.requireNonNull(setters.get(name), "names without a setter are refused before");
    }
}
