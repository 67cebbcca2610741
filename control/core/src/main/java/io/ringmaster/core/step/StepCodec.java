package io.ringmaster.core.step;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.Name;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RequestId;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Writes the components of a step as the text arguments that a plan stores, and reads them back.
 *
 * <p>An argument has the name of its component in snake case: {@code specVersion} is {@code spec_version}. A map
 * such as {@code taskArgs} is stored entry by entry, as {@code task.keyspaces}. A component may have a type of
 * {@link #PARSERS}, or be an enum or a map of strings; the first use of {@link Steps} refuses any other.
 */
final class StepCodec {
    /** A flag that is stored only when it is true: one that a step got after plans without it had been stored. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @interface OmittedWhenFalse {}

    private static final Map<Class<?>, Function<String, ?>> PARSERS = Map.of(
            String.class, text -> text,
            boolean.class, Boolean::parseBoolean,
            long.class, Long::parseLong,
            AllocationId.class, AllocationId::new,
            ClusterName.class, ClusterName::new,
            DatacenterName.class, DatacenterName::new,
            MachineName.class, MachineName::new,
            NodeId.class, NodeId::of,
            RequestId.class, RequestId::of);

    private static final String MAP_SUFFIX = "Args";

    private final List<Argument> arguments;
    private final Constructor<? extends Step> constructor;

    /** @throws IllegalArgumentException if {@code type} is no record or has a component that cannot be stored */
    StepCodec(Class<? extends Step> type) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type + " is not a record");
        }
        RecordComponent[] components = type.getRecordComponents();
        arguments = Arrays.stream(components).map(StepCodec::argument).toList();
        try {
            constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(type + " has no canonical constructor", e);
        }
    }

    /** The stored arguments of a step of this type. */
    Map<String, String> args(Step step) {
        Map<String, String> args = new TreeMap<>();
        arguments.forEach(argument -> argument.write(step, args));
        return args;
    }

    /** @throws IllegalArgumentException if an argument is missing or malformed */
    Step step(Map<String, String> args) {
        Object[] values =
                arguments.stream().map(argument -> argument.read(args)).toArray();
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Argument argument(RecordComponent component) {
        if (component.getType() == Map.class) {
            return new Entries(component, prefix(component));
        }
        Function<String, ?> parser = component.getType().isEnum()
                ? text -> constant(component.getType(), text)
                : PARSERS.get(component.getType());
        if (parser == null) {
            throw new IllegalArgumentException(component + " cannot be stored");
        }
        return component.isAnnotationPresent(OmittedWhenFalse.class)
                ? new Flag(component, snakeCase(component.getName()))
                : new Text(component, snakeCase(component.getName()), parser);
    }

    private static String prefix(RecordComponent map) {
        if (!map.getName().endsWith(MAP_SUFFIX)) {
            throw new IllegalArgumentException("the name of " + map + " must end in " + MAP_SUFFIX);
        }
        return snakeCase(map.getName().substring(0, map.getName().length() - MAP_SUFFIX.length())) + ".";
    }

    private static String snakeCase(String camelCase) {
        return camelCase.replaceAll("(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    private static Object constant(Class<?> enumType, String name) {
        return Arrays.stream(enumType.getEnumConstants())
                .filter(c -> ((Enum<?>) c).name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + enumType.getSimpleName() + " '" + name + "'"));
    }

    private static Object value(RecordComponent component, Step step) {
        try {
            return component.getAccessor().invoke(step);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How one component is stored. */
    private sealed interface Argument {
        void write(Step step, Map<String, String> args);

        Object read(Map<String, String> args);
    }

    private record Text(RecordComponent component, String name, Function<String, ?> parser) implements Argument {
        @Override
        public void write(Step step, Map<String, String> args) {
            Object value = value(component, step);
            args.put(
                    name,
                    value instanceof Name id
                            ? id.value()
                            : value instanceof Enum<?> constant ? constant.name() : String.valueOf(value));
        }

        @Override
        public Object read(Map<String, String> args) {
            String text = args.get(name);
            if (text == null) {
                throw new IllegalArgumentException("argument '" + name + "' is missing");
            }
            return parser.apply(text);
        }
    }

    private record Flag(RecordComponent component, String name) implements Argument {
        @Override
        public void write(Step step, Map<String, String> args) {
            if (Boolean.TRUE.equals(value(component, step))) {
                args.put(name, "true");
            }
        }

        @Override
        public Object read(Map<String, String> args) {
            return Boolean.parseBoolean(args.get(name));
        }
    }

    private record Entries(RecordComponent component, String prefix) implements Argument {
        @Override
        public void write(Step step, Map<String, String> args) {
            ((Map<?, ?>) value(component, step)).forEach((key, value) -> args.put(prefix + key, String.valueOf(value)));
        }

        @Override
        public Object read(Map<String, String> args) {
            Map<String, String> entries = new TreeMap<>();
            args.forEach((name, value) -> {
                if (name.startsWith(prefix)) {
                    entries.put(name.substring(prefix.length()), value);
                }
            });
            return entries;
        }
    }
}
