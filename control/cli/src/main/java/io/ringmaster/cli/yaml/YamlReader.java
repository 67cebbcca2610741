package io.ringmaster.cli.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads YAML 1.2 as JSON values. */
public final class YamlReader {
    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setAllowDuplicateKeys(true).setUseMarks(true).build();

    private YamlReader() {}

    /**
     * Place of a scalar in its text.
     *
     * @param from offset of the first character
     * @param to offset behind the last character
     */
    public record Place(int from, int to) {}

    /**
     * Null for an empty text.
     *
     * @throws YamlException the text is not YAML
     */
    public static @Nullable JsonNode read(String text) {
        try {
            Object value = new Load(SETTINGS).loadFromString(text);
            return value == null ? null : Json.mapper().valueToTree(value);
        } catch (MarkedYamlEngineException e) {
            String place = e.getProblemMark()
                    .map(m -> " at line " + (m.getLine() + 1) + ", column " + (m.getColumn() + 1))
                    .orElse("");
            throw new YamlException(place, e.getProblem(), e);
        } catch (YamlEngineException | IllegalArgumentException e) {
            throw new YamlException("", ThrowableText.of(e), e);
        }
    }

    /** The scalar that these keys lead to, if the text has it. */
    public static Optional<Place> place(String text, String... path) {
        Optional<Node> node = new Compose(SETTINGS).composeString(text);
        for (String key : path) {
            node = node.flatMap(n -> child(n, key));
        }
        return node.filter(ScalarNode.class::isInstance)
                .map(n -> new Place(offset(text, n.getStartMark()), offset(text, n.getEndMark())));
    }

    private static Optional<Node> child(Node node, String key) {
        if (!(node instanceof MappingNode mapping)) {
            return Optional.empty();
        }
        return mapping.getValue().stream()
                .filter(t -> t.getKeyNode() instanceof ScalarNode name
                        && name.getValue().equals(key))
                .map(NodeTuple::getValueNode)
                .findFirst();
    }

    /** Marks count code points. */
    private static int offset(String text, Optional<Mark> mark) {
        return text.offsetByCodePoints(0, mark.orElseThrow().getIndex());
    }
}
