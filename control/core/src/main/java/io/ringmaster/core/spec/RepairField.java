package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.CASSANDRA_YAML;
import static io.ringmaster.core.spec.SpecField.EVERY;
import static io.ringmaster.core.spec.SpecField.INTENSITY;
import static io.ringmaster.core.spec.SpecField.OPTIONS;
import static io.ringmaster.core.spec.SpecField.REPAIR;

import io.ringmaster.model.spec.JvmSpec;
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

    /** Makes the tables that Cassandra's own scheduler needs part of the schema. */
    static final String SWITCH = "-Dcassandra.autorepair.enable=true";

    private final FieldReader reader;

    RepairField(FieldReader reader) {
        this.reader = reader;
    }

    /**
     * Cassandra 5.0 takes no notice of its scheduler's parameters unless it is switched on in the virtual machine too: then
     * nothing would ever be repaired, and nobody would say so.
     *
     * @param node of cassandra.yaml's parameters
     */
    void checkHandOver(@Nullable Node node, Map<String, Object> parameters, JvmSpec jvm) {
        if (node != null && isHandedOver(parameters) && !jvm.options().contains(SWITCH)) {
            reader.refuse(
                    FieldReader.join(CASSANDRA_YAML.path, AUTO_REPAIR),
                    node,
                    "repairs nothing unless " + OPTIONS.path + " has " + SWITCH,
                    "add it there");
        }
    }

    private static boolean isHandedOver(Map<String, Object> parameters) {
        return parameters.get(AUTO_REPAIR) instanceof Map<?, ?> own && Boolean.TRUE.equals(own.get("enabled"));
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
        if (isHandedOver(parameters)) {
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
