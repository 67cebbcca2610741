package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.TLS;

import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Who may read and who is let in, where the text of a spec does not say it. It is added to the text, so that the stored
 * spec, its readers and the servers of the other datacenters have it in writing.
 */
public final class SpecDefaults {
    private static final String ENCRYPTED = "tls: {internode: required, clients: required}";
    private static final String CLOSED = "roles: {}";
    private static final String COMMENT = "# what this server gives a new cluster whose spec does not say it";

    private SpecDefaults() {}

    /**
     * The text for a new cluster, with TLS and login.
     *
     * @param yaml a valid spec; one that configures TLS or login itself, in {@code cassandra_yaml}, keeps that
     */
    public static String secure(String yaml) {
        return add(yaml, COMMENT, List.of(ENCRYPTED, CLOSED));
    }

    /**
     * The text for a cluster that exists, as it is: a text from before is as good as one that says it. Roles that the
     * cluster has are not added, because a text without them may be meant to remove them.
     */
    public static String like(ClusterSpec known, String yaml) {
        List<String> lines = new ArrayList<>();
        TlsSpec tls = known.tls();
        if (tls != null) {
            lines.add(TLS.key() + ": " + tls.text());
        }
        if (known.roles() != null && known.roles().isEmpty()) {
            lines.add(CLOSED);
        }
        return add(yaml, "# as the cluster is", lines);
    }

    private static String add(String yaml, String comment, List<String> lines) {
        String text = yaml;
        for (String line : lines) {
            String key = line.substring(0, line.indexOf(':'));
            if (!has(yaml, key)) {
                String before = text;
                text = Stream.of(text, written(text))
                        .map(t -> append(t, before.equals(yaml) ? comment + "\n" + line : line))
                        .filter(t -> reads(t, key))
                        .findFirst()
                        .orElse(text);
            }
        }
        return text;
    }

    /** A text in braces, or one that ends by a marker, takes no further line. */
    private static String written(String yaml) {
        return ClusterSpecs.parse(yaml) instanceof ParsedSpec.Valid valid ? SpecText.write(valid.spec()) : yaml;
    }

    private static String append(String yaml, String lines) {
        return (yaml.endsWith("\n") ? yaml : yaml + "\n") + lines + "\n";
    }

    private static boolean reads(String yaml, String key) {
        return has(yaml, key) && ClusterSpecs.parse(yaml) instanceof ParsedSpec.Valid;
    }

    private static boolean has(String yaml, String key) {
        return Document.of(yaml).root() instanceof MappingNode root
                && root.getValue().stream()
                        .anyMatch(t -> t.getKeyNode() instanceof ScalarNode name
                                && name.getValue().equals(key));
    }
}
