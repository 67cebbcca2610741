package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.CASSANDRA_YAML;
import static io.ringmaster.core.spec.SpecField.TLS;
import static io.ringmaster.core.spec.SpecField.TLS_CLIENTS;
import static io.ringmaster.core.spec.SpecField.TLS_INTERNODE;

import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads where nodes use TLS. */
final class TlsField {
    /** Parameters of cassandra.yaml that Ringmaster sets for a cluster with TLS between its nodes. */
    private static final List<String> OWNED = List.of("server_encryption_options", "internode_authenticator");

    /** The same for CQL clients. */
    private static final List<String> OWNED_FOR_CLIENTS = List.of("client_encryption_options");

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
        TlsMode internode = reader.text(
                        fields.get(TLS_INTERNODE), TLS_INTERNODE.path, TLS_INTERNODE.form, mode(TlsMode.values()))
                .orElse(TlsMode.OFF);
        ClientTlsMode clients = reader.text(
                        fields.get(TLS_CLIENTS), TLS_CLIENTS.path, TLS_CLIENTS.form, mode(ClientTlsMode.values()))
                .orElse(ClientTlsMode.OFF);
        if (internode == TlsMode.OFF) {
            if (clients != ClientTlsMode.OFF) {
                reader.refuse(
                        TLS_CLIENTS.path,
                        node,
                        "needs TLS between nodes, too",
                        "set " + TLS_INTERNODE.path + ": " + name(TlsMode.REQUIRED));
            }
            return null;
        }
        refuse(reader, node, TLS_INTERNODE, OWNED, parameters);
        if (clients != ClientTlsMode.OFF) {
            refuse(reader, node, TLS_CLIENTS, OWNED_FOR_CLIENTS, parameters);
        }
        return new TlsSpec(internode, clients);
    }

    private static void refuse(
            FieldReader reader, Node node, SpecField field, List<String> owned, Map<String, Object> parameters) {
        owned.stream()
                .filter(parameters::containsKey)
                .forEach(name -> reader.refuse(
                        field.path,
                        node,
                        "conflicts with " + FieldReader.join(CASSANDRA_YAML.path, name),
                        "keep one of them"));
    }

    private static <M extends Enum<M>> Function<String, Optional<M>> mode(M[] modes) {
        return text -> Stream.of(modes).filter(m -> name(m).equals(text)).findFirst();
    }

    /** As the spec has it. */
    static Map<String, Object> write(TlsSpec tls) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(TLS_INTERNODE.key(), name(tls.internode()));
        if (tls.encryptsCql()) {
            fields.put(TLS_CLIENTS.key(), name(tls.clients()));
        }
        return fields;
    }

    /** As in the spec. */
    static String name(Enum<?> mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }
}
