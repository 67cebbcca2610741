package io.ringmaster.backup.repository;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node within the cluster of a repository: {@code dc1.node-0}, a text that a key may contain. */
public record NodeName(DatacenterName datacenter, int index) implements Comparable<NodeName> {
    private static final Pattern FORM = Pattern.compile("([^./]+)\\.node-(\\d{1,6})");
    private static final Comparator<NodeName> ORDER =
            Comparator.comparing(NodeName::datacenter).thenComparing(NodeName::index);

    /** @throws IllegalArgumentException if the text has another form */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static NodeName parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("node '" + text + "' must look like dc1.node-0");
        }
        return new NodeName(new DatacenterName(m.group(1)), Integer.parseInt(m.group(2)));
    }

    public static NodeName of(NodeId node) {
        return new NodeName(node.datacenter(), node.index());
    }

    @Override
    public int compareTo(NodeName other) {
        return ORDER.compare(this, other);
    }

    @Override
    @JsonValue
    public String toString() {
        return datacenter + ".node-" + index;
    }
}
