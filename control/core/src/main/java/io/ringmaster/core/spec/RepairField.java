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

/** Reads how often a cluster is repaired. */
final class RepairField {
    private static final Duration MIN = Duration.ofHours(1);
    private static final Duration MAX = Duration.ofDays(365);
    private static final String AUTO_REPAIR = "auto_repair";

    /** The JVM option that adds the tables of Cassandra's own scheduler to the schema. */
    static final String SWITCH = "-Dcassandra.autorepair.enable=true";

    private final FieldReader reader;

    RepairField(FieldReader reader) {
        this.reader = reader;
    }

    /**
     * Cassandra 5.0 ignores its scheduler's parameters unless a JVM option enables it too: nothing would be repaired,
     * and no error would say so.
     *
     * @param node the parameters of cassandra.yaml in the text
     */
    void checkCassandraScheduler(@Nullable Node node, Map<String, Object> parameters, JvmSpec jvm) {
        if (node != null && cassandraSchedules(parameters) && !jvm.options().contains(SWITCH)) {
            reader.refuse(
                    FieldReader.join(CASSANDRA_YAML.path, AUTO_REPAIR),
                    node,
                    "repairs nothing unless " + OPTIONS.path + " has " + SWITCH,
                    "add it there");
        }
    }

    private static boolean cassandraSchedules(Map<String, Object> parameters) {
        return parameters.get(AUTO_REPAIR) instanceof Map<?, ?> own && Boolean.TRUE.equals(own.get("enabled"));
    }

    /** @param parameters of cassandra.yaml, which may enable Cassandra's own scheduler */
    @Nullable
    RepairSchedule read(@Nullable Node node, Map<String, Object> parameters) {
        if (node == null) {
            return null;
        }
        Map<SpecField, Node> fields = reader.fields(node, REPAIR.path, REPAIR.path);
        Optional<Duration> every = reader.text(fields.get(EVERY), EVERY.path, EVERY.form, text -> Age.parse(text)
                .filter(a -> a.compareTo(MIN) >= 0 && a.compareTo(MAX) <= 0));
        Optional<Integer> intensity =
                reader.thousandths(fields.get(INTENSITY), INTENSITY.path, 100, 1000, INTENSITY.form);
        if (cassandraSchedules(parameters)) {
            reader.refuse(
                    REPAIR.path,
                    node,
                    "conflicts with " + FieldReader.join(CASSANDRA_YAML.path, AUTO_REPAIR)
                            + ", which makes Cassandra schedule repairs itself",
                    "keep one of them");
        }
        return every.map(e -> new RepairSchedule(e.toMinutes(), intensity.orElse(1000) / 1000.0))
                .orElse(null);
    }
}
