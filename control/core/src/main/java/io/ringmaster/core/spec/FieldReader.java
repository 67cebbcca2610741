package io.ringmaster.core.spec;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.Size;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads values out of a YAML tree and collects every problem instead of stopping at the first. */
final class FieldReader {
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}(\\.\\d{1,6})?");

    private final List<Problem> problems = new ArrayList<>();

    List<Problem> problems() {
        return List.copyOf(problems);
    }

    void refuse(String field, @Nullable Node at, String message) {
        refuse(field, at, message, null);
    }

    void refuse(String field, @Nullable Node at, String message, @Nullable String nextStep) {
        String line = Optional.ofNullable(at)
                .flatMap(Node::getStartMark)
                .map(m -> " (line " + (m.getLine() + 1) + ")")
                .orElse("");
        problems.add(new Problem(ErrorCode.SPEC_INVALID, field.isEmpty() ? null : field, message + line, nextStep));
    }

    /** The entries of a mapping by key; a duplicate key is a problem. */
    Map<String, Node> mapping(@Nullable Node node, String path, String form) {
        Map<String, Node> entries = new LinkedHashMap<>();
        if (node == null || isNull(node)) {
            return entries;
        }
        if (!(node instanceof MappingNode mapping)) {
            refuse(path, node, "is " + describe(node) + ", allowed: " + form);
            return entries;
        }
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                refuse(path, entry.getKeyNode(), "has a key that is not a plain word");
            } else if (entries.putIfAbsent(key.getValue(), entry.getValueNode()) != null) {
                refuse(join(path, key.getValue()), key, "is given twice", "keep one of them");
            }
        }
        return entries;
    }

    /** A mapping with known fields. */
    Map<SpecField, Node> fields(@Nullable Node node, String path, String tablePath) {
        List<SpecField> known = SpecField.in(tablePath);
        Map<SpecField, Node> fields = new LinkedHashMap<>();
        boolean wrongType = node != null && !isNull(node) && !(node instanceof MappingNode);
        mapping(node, path, "a mapping").forEach((key, value) -> known.stream()
                .filter(f -> f.key().equals(key))
                .findFirst()
                .ifPresentOrElse(
                        f -> fields.put(f, value),
                        () -> refuse(
                                join(path, key),
                                value,
                                "is not a field of a spec",
                                Nearest.hint(
                                        key, known.stream().map(SpecField::key).toList()))));
        for (SpecField field : known) {
            if (field.required() && !fields.containsKey(field) && !wrongType) {
                refuse(join(path, field.key()), node, "is missing, required: " + field.form);
            }
        }
        return fields;
    }

    /** Parses a scalar value, such as a name. */
    <T> Optional<T> text(@Nullable Node node, String path, String form, Function<String, Optional<T>> parse) {
        if (node == null) {
            return Optional.empty();
        }
        if (!(node instanceof ScalarNode scalar) || isNull(node)) {
            refuse(path, node, "is " + describe(node) + ", allowed: " + form);
            return Optional.empty();
        }
        Optional<T> value = parse.apply(scalar.getValue());
        if (value.isEmpty()) {
            refuse(path, node, "'" + scalar.getValue() + "' is not allowed, allowed: " + form);
        }
        return value;
    }

    Optional<Integer> wholeNumber(@Nullable Node node, String path, int min, int max, String form) {
        if (node != null && !node.getTag().equals(Tag.INT)) {
            refuse(path, node, "is " + describe(node) + ", allowed: " + form);
            return Optional.empty();
        }
        return text(node, path, form, text -> {
            Optional<BigDecimal> number = number(text);
            return number.filter(
                            n -> n.compareTo(BigDecimal.valueOf(min)) >= 0 && n.compareTo(BigDecimal.valueOf(max)) <= 0)
                    .map(BigDecimal::intValueExact);
        });
    }

    Optional<Integer> thousandths(@Nullable Node node, String path, int minMillis, int maxMillis, String form) {
        return text(node, path, form, text -> number(text)
                .map(n -> n.movePointRight(3))
                .filter(n -> n.stripTrailingZeros().scale() <= 0)
                .filter(n -> n.compareTo(BigDecimal.valueOf(minMillis)) >= 0
                        && n.compareTo(BigDecimal.valueOf(maxMillis)) <= 0)
                .map(BigDecimal::intValueExact));
    }

    Optional<Long> bytes(@Nullable Node node, String path, long min) {
        return text(node, path, Size.FORM, text -> {
                    OptionalLong bytes = Size.parse(text);
                    return bytes.isPresent() ? Optional.of(bytes.getAsLong()) : Optional.empty();
                })
                .filter(bytes -> {
                    if (bytes < min) {
                        refuse(path, node, Size.text(bytes) + " is too small, allowed: " + Size.text(min) + " or more");
                    }
                    return bytes >= min;
                });
    }

    List<Node> list(@Nullable Node node, String path, String form) {
        if (node == null || isNull(node)) {
            return List.of();
        }
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue();
        }
        refuse(path, node, "is " + describe(node) + ", allowed: " + form);
        return List.of();
    }

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    static boolean isNull(Node node) {
        return Objects.equals(node.getTag(), Tag.NULL);
    }

    private static Optional<BigDecimal> number(String text) {
        return NUMBER.matcher(text).matches() ? Optional.of(new BigDecimal(text)) : Optional.empty();
    }

    /** A value in a message: {@code a list}. */
    static String describe(Node node) {
        if (isNull(node)) {
            return "empty";
        }
        if (node instanceof ScalarNode scalar) {
            return node.getTag().equals(Tag.STR)
                    ? "the text '" + scalar.getValue() + "'"
                    : "'" + scalar.getValue() + "'";
        }
        return node instanceof SequenceNode ? "a list" : "a mapping";
    }
}
