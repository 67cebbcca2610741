package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.CASSANDRA_YAML;
import static io.ringmaster.core.spec.SpecField.TLS;
import static io.ringmaster.core.spec.SpecField.TLS_INTERNODE;

import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads where nodes use TLS. */
final class TlsField {
    /** Parameters of cassandra.yaml that Ringmaster sets for a cluster with TLS between its nodes. */
    private static final List<String> OWNED = List.of("server_encryption_options", "internode_authenticator");

    private TlsField() {}

    /**
     * @param parameters of cassandra.yaml, which may configure TLS without Ringmaster's certificates
     * @return null without TLS
     */
    static @Nullable TlsSpec read(FieldReader reader, @Nullable Node node, Map<String, Object> parameters) {
        if (node == null) {
            return null;
        }
        Map<SpecField, Node> fields = reader.fields(node, TLS.path, TLS.path);
        Optional<TlsMode> internode =
                reader.text(fields.get(TLS_INTERNODE), TLS_INTERNODE.path, TLS_INTERNODE.form, TlsField::mode);
        if (internode.isEmpty() || internode.get() == TlsMode.OFF) {
            return null;
        }
        OWNED.stream()
                .filter(parameters::containsKey)
                .forEach(name -> reader.refuse(
                        TLS_INTERNODE.path,
                        node,
                        "conflicts with " + FieldReader.join(CASSANDRA_YAML.path, name),
                        "keep one of them"));
        return new TlsSpec(internode.get());
    }

    private static Optional<TlsMode> mode(String text) {
        return Stream.of(TlsMode.values()).filter(m -> name(m).equals(text)).findFirst();
    }

    /** As in the spec. */
    static String name(TlsMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }
}
