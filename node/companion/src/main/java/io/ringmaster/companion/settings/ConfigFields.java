package io.ringmaster.companion.settings;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.apache.cassandra.config.Config;
import org.jspecify.annotations.Nullable;

/** Reads and writes the fields of a {@link Config} by the name of the parameter. */
final class ConfigFields {
    private ConfigFields() {}

    static @Nullable Object get(String name, Config config) {
        try {
            return Config.class.getField(name).get(config);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " is not a parameter of this Cassandra", e);
        }
    }

    static void set(String name, Config config, @Nullable Object value) {
        try {
            Config.class.getField(name).set(config, value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " is not a parameter of this Cassandra", e);
        }
    }

    static Config copy(Config from) {
        Config copy = new Config();
        for (Field field : Config.class.getFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
                set(field.getName(), copy, get(field.getName(), from));
            }
        }
        return copy;
    }
}
