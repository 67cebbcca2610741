package io.ringmaster.core.spec;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Parses YAML text to a tree. Size and depth are bounded, whatever the text, and no type that the text names is
 * created.
 */
record Document(@Nullable Node root, @Nullable Problem problem) {
    static final int MAX_BYTES = 64 * 1024;
    static final int MAX_DEPTH = 32;

    static final LoadSettings SETTINGS =
            LoadSettings.builder().setLabel("spec").setCodePointLimit(MAX_BYTES).build();

    static Document of(String yaml) {
        if (yaml.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return refused("the text is longer than " + MAX_BYTES + " bytes", "send one cluster's spec only");
        }
        try {
            Optional<String> unwanted = unwanted(yaml);
            if (unwanted.isPresent()) {
                return refused(unwanted.get(), "write the values in place");
            }
            return new Compose(SETTINGS)
                    .composeString(yaml)
                    .map(node -> new Document(node, null))
                    .orElseGet(() -> refused("the text is empty", "see examples/rides.yaml"));
        } catch (MarkedYamlEngineException e) {
            String place = e.getProblemMark()
                    .map(m -> "line " + (m.getLine() + 1) + ", column " + (m.getColumn() + 1) + ": ")
                    .orElse("");
            return refused("not YAML: " + place + e.getProblem(), "see examples/rides.yaml");
        } catch (YamlEngineException e) {
            return refused("not YAML: " + e.getMessage(), "see examples/rides.yaml");
        }
    }

    /**
     * Checks the parser's events before the tree is composed: composing recurses, and an alias can make a small text
     * huge.
     */
    private static Optional<String> unwanted(String yaml) {
        int depth = 0;
        int documents = 0;
        for (Event event : new Parse(SETTINGS).parseString(yaml)) {
            String line = event.getStartMark()
                    .map(Mark::getLine)
                    .map(l -> "line " + (l + 1) + ": ")
                    .orElse("");
            switch (event.getEventId()) {
                case DocumentStart -> documents++;
                case MappingStart, SequenceStart -> depth++;
                case MappingEnd, SequenceEnd -> depth--;
                case Alias -> {
                    return Optional.of(line + "aliases (*name) are not allowed");
                }
                default -> {}
            }
            if (depth > MAX_DEPTH) {
                return Optional.of(line + "nested deeper than " + MAX_DEPTH + " levels");
            }
            if (documents > 1) {
                return Optional.of(line + "a second document starts; a spec is one document");
            }
        }
        return Optional.empty();
    }

    private static Document refused(String message, String nextStep) {
        return new Document(null, Problem.of(ErrorCode.SPEC_INVALID, message, nextStep));
    }
}
