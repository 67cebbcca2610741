package io.ringmaster.core.spec;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Parameters of a stored spec: one of an older release may give them by former names, in another unit. */
public final class StoredParameters {
    private StoredParameters() {}

    /** The value as the current name has it: {@code 600000ms} for a former {@code 600_000}. */
    public static Optional<String> text(Map<String, Object> parameters, String name) {
        return parameters.entrySet().stream()
                .flatMap(e -> former(e.getKey(), e.getValue(), name))
                .findFirst()
                .or(() -> Optional.ofNullable(parameters.get(name)))
                .map(String::valueOf);
    }

    private static Stream<Object> former(String given, Object value, String name) {
        return ParameterTable.row(given)
                .filter(row -> row.current().equals(name))
                .flatMap(row -> row.read(String.valueOf(value)).map(v -> ParameterReader.withUnit(row.unit(), v)))
                .stream();
    }
}
