package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.RESTORE;
import static io.ringmaster.core.spec.SpecField.RESTORE_BACKUP;
import static io.ringmaster.core.spec.SpecField.RESTORE_CLUSTER;
import static io.ringmaster.core.spec.SpecField.RESTORE_FROM;
import static io.ringmaster.core.spec.SpecField.RESTORE_INCARNATION;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.LocationName;
import io.ringmaster.model.spec.RestoreSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the backup that a new cluster starts from. Whether there is such a backup, the server finds out. */
final class RestoreField {
    private static final Pattern INCARNATION = Pattern.compile("[a-z0-9][a-z0-9-]{0,79}");
    private static final Pattern BACKUP = Pattern.compile("[0-9]{8}T[0-9]{6}Z-[0-9a-f]{4}");

    private RestoreField() {}

    static @Nullable RestoreSource read(FieldReader reader, @Nullable Node node) {
        if (node == null) {
            return null;
        }
        Map<SpecField, Node> fields = reader.fields(node, RESTORE.path, RESTORE.path);
        Optional<LocationName> from = name(reader, fields, RESTORE_FROM, LocationName::new);
        Optional<ClusterName> cluster = name(reader, fields, RESTORE_CLUSTER, ClusterName::new);
        Optional<String> incarnation = text(reader, fields, RESTORE_INCARNATION, INCARNATION);
        Optional<String> backup = text(reader, fields, RESTORE_BACKUP, BACKUP);
        return from.isEmpty() || cluster.isEmpty() || incarnation.isEmpty() || backup.isEmpty()
                ? null
                : new RestoreSource(from.get().value(), cluster.get(), incarnation.get(), backup.get());
    }

    private static <T> Optional<T> name(
            FieldReader reader, Map<SpecField, Node> fields, SpecField field, Function<String, T> name) {
        return reader.text(fields.get(field), field.path, field.form, value -> parsed(value, name));
    }

    private static <T> Optional<T> parsed(String value, Function<String, T> name) {
        try {
            return Optional.of(name.apply(value));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(
            FieldReader reader, Map<SpecField, Node> fields, SpecField field, Pattern form) {
        return reader.text(
                fields.get(field),
                field.path,
                field.form,
                value -> form.matcher(value).matches() ? Optional.of(value) : Optional.empty());
    }
}
