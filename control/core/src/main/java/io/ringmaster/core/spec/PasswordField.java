package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.ROLE_PASSWORD;

import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.PasswordSource.Kind;
import io.ringmaster.model.spec.SecretKeyRef;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads where the password of a role is. No problem repeats a value: it may be the password itself. */
final class PasswordField {
    private final FieldReader reader;

    PasswordField(FieldReader reader) {
        this.reader = reader;
    }

    Optional<PasswordSource> read(Node node, String path) {
        if (node instanceof ScalarNode scalar) {
            if (scalar.getValue().equals(PasswordSource.GENERATED.text())) {
                return Optional.of(PasswordSource.GENERATED);
            }
            reader.refuse(path, node, "is a text, allowed: " + ROLE_PASSWORD.form, "a spec must not hold a password");
            return Optional.empty();
        }
        Map<String, Node> entries = reader.mapping(node, path, ROLE_PASSWORD.form);
        if (entries.size() != 1) {
            reader.refuse(path, node, "has " + entries.size() + " entries, allowed: " + ROLE_PASSWORD.form);
            return Optional.empty();
        }
        Map.Entry<String, Node> entry = entries.entrySet().iterator().next();
        String place = entry.getKey();
        if (entry.getValue() instanceof ScalarNode name) {
            if (place.equals(Kind.SECRET.label())) {
                return secret(name, path);
            }
            if ((place.equals(Kind.FILE.label()) || place.equals(Kind.ENV.label()))
                    && name.getValue().matches("[a-z0-9-]{1,63}")) {
                return Optional.of(PasswordSource.of(place + ":" + name.getValue()));
            }
        }
        reader.refuse(path, node, "is not allowed, allowed: " + ROLE_PASSWORD.form);
        return Optional.empty();
    }

    private Optional<PasswordSource> secret(ScalarNode node, String path) {
        String text = node.getValue();
        int slash = text.indexOf('/');
        if (slash < 0) {
            reader.refuse(path, node, "names no key of a Secret", "write {secret: NAME/KEY}");
            return Optional.empty();
        }
        boolean named = SecretKeyRef.isName(text.substring(0, slash));
        boolean keyed = SecretKeyRef.isKey(text.substring(slash + 1));
        if (!named) {
            reader.refuse(
                    path,
                    node,
                    "has before the / a name that no Secret of Kubernetes can have, allowed: at most 253 of a-z, 0-9, -"
                            + " and ., where each part between dots starts and ends with a letter or digit");
        }
        if (!keyed) {
            reader.refuse(
                    path,
                    node,
                    "has after the / a key that no Secret of Kubernetes can have, allowed: at most 253 of letters, 0-9,"
                            + " -, _ and ., but not . alone, nor .. at the start");
        }
        return named && keyed
                ? Optional.of(
                        new PasswordSource(Kind.SECRET, SecretKeyRef.of(text).text()))
                : Optional.empty();
    }
}
