package io.ringmaster.companion.settings;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.YamlConfigurationLoader;
import org.jspecify.annotations.Nullable;

/**
 * Changes parameters in the running Cassandra: all that are asked for, or none. A value is read as Cassandra reads its cassandra.yaml,
 * and set by Cassandra's own setter.
 */
public final class Settings {
    private final Map<String, Consumer<Config>> setters;
    private final Config running;

    /** Why nothing was changed, by parameter. */
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

    /** Those of this process. Only once Cassandra has started. */
    public static Settings ofCassandra() {
        return new Settings(Setters.ALL, DatabaseDescriptor.getRawConfig());
    }

    /**
     * @param values by parameter, as in cassandra.yaml
     * @param defaults parameters that are to have Cassandra's own default again
     * @return the values now in force, as Cassandra tells them
     * @throws Refused nothing was changed
     */
    public synchronized Map<String, String> change(Map<String, Object> values, List<String> defaults) throws Refused {
        Config wanted = copy(running);
        Map<String, String> refused = new TreeMap<>();
        values.forEach((name, value) -> {
            String why = read(name, value, wanted);
            if (why != null) {
                refused.put(name, why);
            }
        });
        for (String name : defaults) {
            Object standard = setters.containsKey(name) ? get(name, new Config()) : null;
            if (standard == null) {
                refused.put(name, "its default is not known while Cassandra runs");
            } else {
                set(name, wanted, standard);
            }
        }
        if (!refused.isEmpty()) {
            throw new Refused(refused);
        }
        List<String> names = new ArrayList<>(values.keySet());
        names.addAll(defaults);
        names.sort(null);
        apply(names, wanted);
        Map<String, String> told = new TreeMap<>();
        names.forEach(n -> told.put(n, String.valueOf(get(n, running))));
        return told;
    }

    private @Nullable String read(String name, Object value, Config into) {
        if (!setters.containsKey(name)) {
            return "Cassandra takes it only when it starts";
        }
        try {
            Config read = YamlConfigurationLoader.fromMap(Map.of(name, value), true, Config.class);
            set(name, into, get(name, read));
            return null;
        } catch (RuntimeException e) {
            return message(e);
        }
    }

    private void apply(List<String> names, Config wanted) throws Refused {
        Config before = copy(running);
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            try {
                setters.get(name).accept(wanted);
            } catch (RuntimeException e) {
                putBack(names.subList(0, i + 1), before);
                throw new Refused(Map.of(name, message(e)));
            }
        }
    }

    /** The refused one included: a setter may have stored what it then could not act on. */
    private void putBack(List<String> names, Config before) {
        for (String name : names) {
            try {
                setters.get(name).accept(before);
            } catch (RuntimeException e) {
                set(name, running, get(name, before));
            }
        }
    }

    private static Config copy(Config from) {
        Config copy = new Config();
        for (Field field : Config.class.getFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
                set(field.getName(), copy, get(field.getName(), from));
            }
        }
        return copy;
    }

    private static @Nullable Object get(String name, Config config) {
        try {
            return Config.class.getField(name).get(config);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " is no parameter of this Cassandra", e);
        }
    }

    private static void set(String name, Config config, @Nullable Object value) {
        try {
            Config.class.getField(name).set(config, value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " is no parameter of this Cassandra", e);
        }
    }

    private static String message(RuntimeException thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
