package io.ringmaster.cli.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.emitter.Emitter;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.ImplicitTuple;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;

/** Writes JSON values as YAML in block style, with quotes only where a YAML 1.1 reader would read another type. */
public final class YamlWriter {
    /** Booleans and nulls of YAML 1.1, which most readers still understand. */
    private static final Set<String> RESERVED = Set.of(
            "false", "n", "no", "null", "off", "on", "true", "y", "yes", "False", "N", "No", "Null", "Off", "On",
            "True", "Y", "Yes", "FALSE", "NO", "NULL", "OFF", "ON", "TRUE", "YES");

    private final Text text = new Text();
    private final Emitter emitter = new Emitter(DumpSettings.builder().build(), text);

    private YamlWriter() {}

    private static final class Text implements StreamDataWriter {
        private final StringBuilder all = new StringBuilder();

        @Override
        public void write(String part) {
            all.append(part);
        }

        @Override
        public void write(String part, int from, int length) {
            all.append(part, from, from + length);
        }
    }

    /** One document, ended by a line break. */
    public static String write(JsonNode root) {
        var writer = new YamlWriter();
        writer.emitter.emit(new StreamStartEvent());
        writer.emitter.emit(new DocumentStartEvent(false, Optional.empty(), Map.of()));
        writer.value(root);
        writer.emitter.emit(new DocumentEndEvent(false));
        writer.emitter.emit(new StreamEndEvent());
        return writer.text.all.toString();
    }

    private void value(JsonNode node) {
        if (node.isObject()) {
            emitter.emit(new MappingStartEvent(Optional.empty(), Optional.empty(), true, FlowStyle.BLOCK));
            node.properties().forEach(field -> {
                scalar(field.getKey(), nameStyle(field.getKey()));
                value(field.getValue());
            });
            emitter.emit(new MappingEndEvent());
        } else if (node.isArray()) {
            emitter.emit(new SequenceStartEvent(Optional.empty(), Optional.empty(), true, FlowStyle.BLOCK));
            node.forEach(this::value);
            emitter.emit(new SequenceEndEvent());
        } else {
            scalar(node.asText(), node.isTextual() ? textStyle(node.asText()) : ScalarStyle.PLAIN);
        }
    }

    private void scalar(String value, ScalarStyle style) {
        emitter.emit(new ScalarEvent(Optional.empty(), Optional.empty(), new ImplicitTuple(true, true), value, style));
    }

    private static ScalarStyle nameStyle(String name) {
        boolean number = !name.isEmpty() && "0123456789-+.".indexOf(name.charAt(0)) >= 0;
        boolean control = name.chars().anyMatch(c -> c < ' ');
        return name.isEmpty() || isReserved(name) || number || control ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.PLAIN;
    }

    private static ScalarStyle textStyle(String value) {
        if (value.isEmpty()) {
            return ScalarStyle.DOUBLE_QUOTED;
        }
        if (value.indexOf('\n') >= 0) {
            return ScalarStyle.LITERAL;
        }
        return isReserved(value) || hasIndicator(value) ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.PLAIN;
    }

    /** A tilde is null in YAML 1.1. */
    private static boolean isReserved(String value) {
        return RESERVED.contains(value) || value.charAt(0) == '~';
    }

    /** Brackets and commas end a plain text inside of a flow collection, {@code " #"} and {@code ": "} everywhere. */
    private static boolean hasIndicator(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean afterBlank = i == 0 || isBlank(value.charAt(i - 1));
            boolean beforeBlank = i == value.length() - 1 || isBlank(value.charAt(i + 1));
            if ("[]{},".indexOf(c) >= 0 || (c == '#' && afterBlank) || (c == ':' && beforeBlank)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
