package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.CASSANDRA_YAML;
import static io.ringmaster.core.spec.SpecField.ROLES;
import static io.ringmaster.core.spec.SpecField.TLS;

import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RoleSpec;
import io.ringmaster.model.spec.TlsSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * What a spec says about TLS and login, where its text says nothing. It becomes part of the text, so that the stored
 * spec, its readers and the servers of the other datacenters have it in writing.
 *
 * @param yaml the text with the lines
 * @param added the lines; a text that conflicts with them is refused as if its user had written them
 */
public record SpecDefaults(String yaml, List<String> added) {
    private static final List<String> OWN_TLS = List.of("server_encryption_options", "internode_authenticator");
    private static final List<String> OWN_CLIENT_TLS = List.of("client_encryption_options");
    private static final List<String> OWN_LOGIN = List.of("authenticator", "authorizer", "role_manager");

    public SpecDefaults {
        added = List.copyOf(added);
    }

    public static SpecDefaults none(String yaml) {
        return new SpecDefaults(yaml, List.of());
    }

    /**
     * TLS and login, for a new cluster.
     *
     * @param yaml a valid spec; what it configures itself in {@code cassandra_yaml} stays as it is
     */
    public static SpecDefaults secure(String yaml) {
        Set<String> parameters = field(yaml, CASSANDRA_YAML)
                .map(SpecDefaults::entries)
                .orElse(Map.of())
                .keySet();
        Map<SpecField, String> values = new LinkedHashMap<>();
        if (parameters.stream().noneMatch(OWN_TLS::contains)) {
            boolean ownClients = parameters.stream().anyMatch(OWN_CLIENT_TLS::contains);
            values.put(TLS, ownClients ? "{internode: required}" : "{internode: required, clients: required}");
        }
        if (parameters.stream().noneMatch(OWN_LOGIN::contains)) {
            values.put(ROLES, "{}");
        }
        return with(yaml, values);
    }

    /** TLS and roles of a cluster that exists: a text that says nothing of them changes nothing of them. */
    public static SpecDefaults like(ClusterSpec known, String yaml) {
        Map<SpecField, String> values = new LinkedHashMap<>();
        TlsSpec tls = known.tls();
        if (tls != null) {
            values.put(TLS, tls.text());
        }
        List<RoleSpec> roles = known.roles();
        if (roles != null) {
            values.put(ROLES, inOneLine(RolesField.write(roles)));
        }
        return with(yaml, values);
    }

    private static String inOneLine(Map<String, Object> value) {
        return new Dump(DumpSettings.builder()
                        .setDefaultFlowStyle(FlowStyle.FLOW)
                        .setWidth(Document.MAX_BYTES)
                        .build())
                .dumpToString(value)
                .strip();
    }

    private static SpecDefaults with(String yaml, Map<SpecField, String> values) {
        List<String> lines = new ArrayList<>();
        values.forEach((field, value) -> {
            if (field(yaml, field).isEmpty()) {
                lines.add(field.key() + ": " + value);
            }
        });
        return lines.isEmpty() ? none(yaml) : new SpecDefaults(insert(yaml, lines), lines);
    }

    /** At the end, before the marker of the end, or before the last brace. */
    private static String insert(String yaml, List<String> lines) {
        String body = yaml.stripTrailing();
        int brace = body.lastIndexOf('}');
        String end = String.join("\n", lines) + "\n";
        String appended = body + "\n" + end;
        List<String> ways = new ArrayList<>(List.of(appended));
        if (body.endsWith("\n...")) {
            ways.add(body.substring(0, body.length() - "...".length()) + end);
        }
        if (brace >= 0) {
            ways.add(body.substring(0, brace) + ", " + String.join(", ", lines) + body.substring(brace));
        }
        return ways.stream().filter(text -> hasAll(text, lines)).findFirst().orElse(appended);
    }

    private static boolean hasAll(String yaml, List<String> lines) {
        Set<String> keys = top(yaml).keySet();
        return lines.stream().allMatch(line -> keys.contains(line.substring(0, line.indexOf(':'))));
    }

    private static Optional<Node> field(String yaml, SpecField field) {
        return Optional.ofNullable(top(yaml).get(field.key()));
    }

    private static Map<String, Node> top(String yaml) {
        return Optional.ofNullable(Document.of(yaml).root())
                .map(SpecDefaults::entries)
                .orElse(Map.of());
    }

    private static Map<String, Node> entries(Node node) {
        Map<String, Node> entries = new LinkedHashMap<>();
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(entry -> {
                if (entry.getKeyNode() instanceof ScalarNode key) {
                    entries.put(key.getValue(), entry.getValueNode());
                }
            });
        }
        return entries;
    }
}
