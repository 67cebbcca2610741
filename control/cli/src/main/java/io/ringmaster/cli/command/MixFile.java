package io.ringmaster.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.InputFile;
import io.ringmaster.cli.yaml.YamlException;
import io.ringmaster.cli.yaml.YamlReader;
import io.ringmaster.wire.api.SharingAsk.Entry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list of spec files with a number of clusters for each. A file without {@code clusters} is a spec. The server
 * validates the specs.
 */
final class MixFile {
    private static final Set<String> FIELDS = Set.of("spec", "count", "nodes");
    private static final String FORM = "clusters:\n    - {spec: rides.yaml, count: 4}";

    private final Path file;
    private final Environment environment;

    private MixFile(Path file, Environment environment) {
        this.file = file;
        this.environment = environment;
    }

    /** @param file {@code -} for standard input */
    static List<Entry> read(Path file, Environment environment) {
        String text = InputFile.read(file, environment);
        JsonNode clusters = clusters(text);
        return clusters == null
                ? List.of(new Entry(file.toString(), text, 1, null))
                : new MixFile(file, environment).entries(clusters);
    }

    /** Null also when the text is not YAML: the server reports the place, as for any spec. */
    private static @Nullable JsonNode clusters(String text) {
        try {
            JsonNode root = YamlReader.read(text);
            return root == null ? null : root.get("clusters");
        } catch (YamlException e) {
            return null;
        }
    }

    private List<Entry> entries(JsonNode clusters) {
        if (!clusters.isArray() || clusters.isEmpty()) {
            throw wrong("clusters", "must be a list of one or more specs");
        }
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < clusters.size(); i++) {
            entries.add(entry("clusters[" + i + "]", clusters.get(i)));
        }
        return entries;
    }

    private Entry entry(String path, JsonNode entry) {
        if (!entry.isObject()) {
            throw wrong(path, "must be a mapping of spec, count and nodes");
        }
        entry.fieldNames().forEachRemaining(name -> {
            if (!FIELDS.contains(name)) {
                throw wrong(path + "." + name, "is not known, allowed: spec, count, nodes");
            }
        });
        JsonNode spec = entry.get("spec");
        if (spec == null || !spec.isTextual() || spec.asText().equals("-")) {
            throw wrong(path + ".spec", "must be the file of a spec");
        }
        Path at = file.resolveSibling(spec.asText());
        return new Entry(
                at.toString(),
                InputFile.read(at, environment),
                number(path, entry, "count"),
                number(path, entry, "nodes"));
    }

    private @Nullable Integer number(String path, JsonNode entry, String field) {
        JsonNode value = entry.get(field);
        if (value == null) {
            return null;
        }
        if (!value.isInt() || value.asInt() < 1) {
            throw wrong(path + "." + field, "'" + value.asText() + "' must be a whole number from 1 on");
        }
        return value.asInt();
    }

    private Failure wrong(String field, String message) {
        return new Failure(ExitCode.REFUSED, file + ": " + field + ": " + message, "write\n  " + FORM);
    }
}
