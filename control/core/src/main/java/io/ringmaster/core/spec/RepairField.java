package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.CASSANDRA_YAML;
import static io.ringmaster.core.spec.SpecField.EVERY;
import static io.ringmaster.core.spec.SpecField.INTENSITY;
import static io.ringmaster.core.spec.SpecField.REPAIR;

import io.ringmaster.model.spec.RepairSchedule;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** How often a cluster is to be repaired. */
final class RepairField {
    private static final Duration LEAST = Duration.ofHours(1);
    private static final Duration MOST = Duration.ofDays(365);
    private static final String AUTO_REPAIR = "auto_repair";

    private final FieldReader reader;

    RepairField(FieldReader reader) {
        this.reader = reader;
    }

    /** @param parameters of cassandra.yaml, by which Cassandra may be told to repair by itself */
    @Nullable
    RepairSchedule read(@Nullable Node node, Map<String, Object> parameters) {
        if (node == null) {
            return null;
        }
        Map<SpecField, Node> fields = reader.fields(node, REPAIR.path, REPAIR.path);
        Optional<Duration> every = reader.text(fields.get(EVERY), EVERY.path, EVERY.form, text -> Age.parse(text)
                .filter(a -> a.compareTo(LEAST) >= 0 && a.compareTo(MOST) <= 0));
        Optional<Integer> intensity =
                reader.thousandths(fields.get(INTENSITY), INTENSITY.path, 100, 1000, INTENSITY.form);
        if (parameters.get(AUTO_REPAIR) instanceof Map<?, ?> own && Boolean.TRUE.equals(own.get("enabled"))) {
            reader.refuse(
                    REPAIR.path,
                    node,
                    "cannot stand beside " + FieldReader.join(CASSANDRA_YAML.path, AUTO_REPAIR)
                            + ", by which Cassandra schedules repairs itself",
                    "keep one of them");
        }
        return every.map(e -> new RepairSchedule(e.toMinutes(), intensity.orElse(1000) / 1000.0))
                .orElse(null);
    }
}
