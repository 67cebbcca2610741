package io.ringmaster.playground;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.cli.yaml.YamlReader;
import io.ringmaster.cli.yaml.YamlWriter;
import io.ringmaster.model.spec.NodeMemory;
import io.ringmaster.playground.doctor.Demand;
import java.io.IOException;
import java.util.Locale;

/** The spec {@code examples/rides.yaml}, scaled to a size. */
final class ExampleSpec {
    private static final long MIB = 1024 * 1024;

    private final ObjectNode spec;

    private ExampleSpec(ObjectNode spec) {
        this.spec = spec;
    }

    static ExampleSpec of(String yaml) throws IOException {
        if (YamlReader.read(yaml) instanceof ObjectNode spec) {
            return new ExampleSpec(spec);
        }
        throw new IOException("the example spec is not a YAML mapping");
    }

    String cluster() {
        return spec.path("cluster").asText();
    }

    String cassandraVersion() {
        return spec.path("cassandra").asText();
    }

    /** The size of the example. */
    Demand size() {
        return new Demand(
                spec.path("datacenters").size(),
                spec.path("datacenters").path("dc1").path("nodes").asInt(),
                bytes(spec.path("node").path("heap").asText()));
    }

    /** Memory of one node, including the heap. */
    long nodeMemoryBytes() {
        return bytes(spec.path("node").path("memory").asText());
    }

    ExampleSpec scaled(Demand size) {
        ObjectNode scaled = spec.deepCopy();
        int seeds = spec.path("datacenters").path("dc1").path("seeds").asInt();
        ObjectNode datacenters = scaled.putObject("datacenters");
        for (int dc = 1; dc <= size.datacenters(); dc++) {
            datacenters.putObject("dc" + dc).put("nodes", size.nodes()).put("seeds", Math.min(seeds, size.nodes()));
        }
        ObjectNode node = (ObjectNode) scaled.get("node");
        node.put("heap", text(size.heapBytes()));
        // the server's rule, and room for the block cache of the RocksDB engine
        long memory = NodeMemory.leastBytes(size.preset(), size.heapBytes()) + size.heapBytes() / 4;
        scaled.put("preset", size.preset().name().toLowerCase(Locale.ROOT));
        node.put("memory", text(Math.max(nodeMemoryBytes(), memory)));
        return new ExampleSpec(scaled);
    }

    ExampleSpec with(SpecAdditions additions) {
        ObjectNode extended = spec.deepCopy();
        if (additions.engine() != null) {
            extended.putObject("engine").putObject(additions.engine().field());
        }
        if (!additions.jvmOptions().isEmpty()) {
            ArrayNode options = extended.withObject("/jvm").putArray("options");
            additions.jvmOptions().forEach(options::add);
        }
        additions.parameters().forEach((name, value) -> extended.withObject("/cassandra_yaml")
                .set(name, YamlReader.read(value)));
        if (additions.role() != null) {
            ObjectNode role = extended.putObject("roles").putObject(additions.role());
            role.put("login", true).put("password", "generated");
            role.putArray("grants").add("ALL ON ALL KEYSPACES");
        }
        return new ExampleSpec(extended);
    }

    /** Nodes and clients talk by TLS only, or in clear text only. */
    ExampleSpec with(boolean tls) {
        String mode = tls ? "required" : "off";
        ObjectNode extended = spec.deepCopy();
        extended.putObject("tls").put("internode", mode).put("clients", mode);
        return new ExampleSpec(extended);
    }

    String yaml() {
        return YamlWriter.write(spec);
    }

    private static long bytes(String size) {
        return new Sizes().convert(size);
    }

    static String text(long bytes) {
        return bytes / MIB + "MiB";
    }
}
