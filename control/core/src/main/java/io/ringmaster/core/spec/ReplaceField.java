package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.AFTER;
import static io.ringmaster.core.spec.SpecField.REPLACE;

import io.ringmaster.model.spec.AutomaticReplacement;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads whether and when nodes on lost machines are replaced automatically. */
final class ReplaceField {
    private static final Duration MIN = Duration.ofMinutes(1);
    private static final Duration MAX = Duration.ofDays(30);

    private ReplaceField() {}

    static @Nullable AutomaticReplacement read(FieldReader reader, @Nullable Node node) {
        if (node == null) {
            return null;
        }
        Map<SpecField, Node> fields = reader.fields(node, REPLACE.path, REPLACE.path);
        return reader.text(fields.get(AFTER), AFTER.path, AFTER.form, text -> Age.parse(text)
                        .filter(a -> a.compareTo(MIN) >= 0 && a.compareTo(MAX) <= 0))
                .map(after -> new AutomaticReplacement(after.toMinutes()))
                .orElse(null);
    }
}
