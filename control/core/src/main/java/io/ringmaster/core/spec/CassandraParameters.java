package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.CASSANDRA_YAML;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads the part of a spec that goes into cassandra.yaml: any parameter except those that Ringmaster owns, and no
 * secrets.
 */
final class CassandraParameters {
    private static final List<Tag> PLAIN = List.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.SEQ, Tag.MAP);
    private static final LoadSettings SETTINGS = Document.SETTINGS;

    private static final String SYNC = "commitlog_sync";
    private static final String SYNC_PERIOD = "commitlog_sync_period";
    private static final String SYNC_LAG = "periodic_commitlog_sync_lag_block";
    private static final String SYNC_WINDOW = "commitlog_sync_group_window";
    private static final Pattern RELEASE = Pattern.compile("5\\.0\\.(\\d{1,3})");

    private final FieldReader reader;

    CassandraParameters(FieldReader reader) {
        this.reader = reader;
    }

    /**
     * As Cassandra will read them; what it would refuse is a problem.
     *
     * @param release of Cassandra, which may know parameters that are not in the table
     */
    Map<String, Object> read(@Nullable Node node, Optional<String> release) {
        boolean newer =
                release.map(r -> patch(r) > patch(ParameterTable.VERSION)).orElse(false);
        Map<String, Node> given = allowed(node);
        Map<String, Object> values =
                new ParameterReader(reader, !newer, this::construct).entries(given, "", CASSANDRA_YAML.path);
        checkSync(given.get(SYNC), values);
        return values;
    }

    /** How the commit log is synced is three parameters, which Cassandra accepts in some combinations only. */
    private void checkSync(@Nullable Node kind, Map<String, Object> values) {
        String sync = String.valueOf(values.getOrDefault(SYNC, "periodic")).toLowerCase(Locale.ROOT);
        if (kind == null || sync.equals("periodic")) {
            return;
        }
        String path = FieldReader.join(CASSANDRA_YAML.path, SYNC);
        for (String other : List.of(SYNC_PERIOD, SYNC_LAG)) {
            if (values.containsKey(other)) {
                reader.refuse(
                        path,
                        kind,
                        "is " + sync + ", with which Cassandra does not take " + other,
                        "leave " + other + " out");
            }
        }
        if (sync.equals("group") && !values.containsKey(SYNC_WINDOW)) {
            reader.refuse(path, kind, "is group, which needs " + SYNC_WINDOW, "set " + SYNC_WINDOW + ": 10ms");
        }
    }

    /** As they were written: a stored spec was checked by the server that took it. */
    Map<String, Object> readStored(@Nullable Node node) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        allowed(node).forEach((name, value) -> construct(value, FieldReader.join(CASSANDRA_YAML.path, name))
                .ifPresent(v -> parameters.put(name, v)));
        return parameters;
    }

    private static int patch(String release) {
        Matcher m = RELEASE.matcher(release);
        return m.matches() ? Integer.parseInt(m.group(1)) : 0;
    }

    private Map<String, Node> allowed(@Nullable Node node) {
        Map<String, Node> parameters = new LinkedHashMap<>();
        reader.mapping(node, CASSANDRA_YAML.path, CASSANDRA_YAML.form).forEach((name, value) -> {
            String path = FieldReader.join(CASSANDRA_YAML.path, name);
            String owned = Refusals.PARAMETERS.get(name);
            if (owned != null) {
                reader.refuse(path, value, "cannot be set: " + owned, "leave it out");
            } else if (!name.matches("[a-z][a-zA-Z0-9_]{0,80}")) {
                reader.refuse(path, value, "'" + name + "' is not a parameter of cassandra.yaml");
            } else if (isPlain(value, path)) {
                parameters.put(name, value);
            }
        });
        return parameters;
    }

    /**
     * Whether a value consists of text, numbers, booleans, lists and mappings, which JSON can carry, and of no secret.
     */
    private boolean isPlain(Node node, String path) {
        if (FieldReader.isNull(node)) {
            reader.refuse(path, node, "is empty, allowed: a value", "leave it out for Cassandra's default");
            return false;
        }
        if (!PLAIN.contains(node.getTag())) {
            reader.refuse(path, node, "the tag " + node.getTag().getValue() + " is not allowed");
            return false;
        }
        boolean plain = true;
        if (node instanceof MappingNode mapping) {
            reader.mapping(node, path, "a mapping");
            for (NodeTuple entry : mapping.getValue()) {
                plain &= isPlain(entry.getValueNode(), path + "." + text(entry.getKeyNode()));
            }
        } else if (node instanceof SequenceNode sequence) {
            for (Node item : sequence.getValue()) {
                plain &= isPlain(item, path);
            }
        } else if (isSecret(path, text(node))) {
            reader.refuse(path, node, "is a secret, which a spec must not hold in clear text", "leave it out");
            return false;
        }
        return plain;
    }

    private static boolean isSecret(String path, String value) {
        return !value.isEmpty()
                && (Refusals.namesSecret(path.substring(path.lastIndexOf('.') + 1)) || Refusals.looksSecret(value));
    }

    private static String text(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "?";
    }

    private Optional<Object> construct(Node node, String path) {
        try {
            return Optional.of(new StandardConstructor(SETTINGS).constructSingleDocument(Optional.of(node)));
        } catch (YamlEngineException e) {
            reader.refuse(path, node, "cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }
}
