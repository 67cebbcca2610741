package io.ringmaster.backup.location;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The files of a directory of locations: YAML mappings of texts, and what lies beside them. */
final class LocationFiles {
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}");

    /** A Secret that Kubernetes mounts belongs to root and to the group of the pod. */
    private static final Set<PosixFilePermission> ACCEPTED = PosixFilePermissions.fromString("rw-r-----");

    private LocationFiles() {}

    /** @throws IllegalArgumentException if the name leads out of the directory */
    static Path beside(Path directory, String name) {
        if (!FILE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'" + name + "' must be the name of a file in " + directory + ", without a path");
        }
        return directory.resolve(name);
    }

    static String text(Path file) throws LocationException {
        try {
            // Kubernetes mounts a Secret as links within its directory
            Path directory = file.resolveSibling("").toRealPath();
            if (!file.toRealPath().startsWith(directory)) {
                throw new LocationException(file + ": is a link out of its directory -> put the file itself there");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new LocationException(file + ": no such file");
        } catch (IOException e) {
            throw new LocationException(
                    file + ": cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** The text of a file that nobody else may read. */
    static String privateText(Path file) throws LocationException {
        String text = text(file);
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!ACCEPTED.containsAll(permissions)) {
                throw new LocationException(file + ": has mode " + PosixFilePermissions.toString(permissions)
                        + ", but only its owner may write it, and only its owner and group may read it -> chmod 600 "
                        + file);
            }
        } catch (IOException e) {
            throw new LocationException(
                    file + ": its mode cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        return text;
    }

    /** The mapping of a file. Messages hold no value, because a field that is misspelt may have a secret. */
    static Map<String, String> fields(Path file, String text) throws LocationException {
        Object yaml;
        try {
            yaml = new Load(LoadSettings.builder().build()).loadFromString(text);
        } catch (MarkedYamlEngineException e) {
            // its message quotes the line
            String where =
                    e.getProblemMark().map(m -> " in line " + (m.getLine() + 1)).orElse("");
            throw new LocationException(file + ": is not YAML" + where);
        } catch (YamlEngineException e) {
            throw new LocationException(file + ": is not YAML");
        }
        if (!(yaml instanceof Map<?, ?> map)) {
            throw new LocationException(file + ": must be a YAML mapping, one 'field: value' a line");
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (Map.Entry<?, ?> field : map.entrySet()) {
            Object value = field.getValue();
            if (value == null || value instanceof Map || value instanceof List) {
                throw new LocationException(file + ": " + field.getKey() + ": must be a text");
            }
            fields.put(String.valueOf(field.getKey()), String.valueOf(value));
        }
        return fields;
    }

    static void refuseOthers(Path file, Map<String, String> fields, String... known) throws LocationException {
        for (String field : fields.keySet()) {
            if (!List.of(known).contains(field)) {
                throw new LocationException(
                        file + ": " + field + ": unknown field; known are " + String.join(", ", known));
            }
        }
    }
}
