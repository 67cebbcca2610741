package io.ringmaster.executor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.Preset;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A first target and the changes that tests make to it. */
public record TestTargets(NodeTarget target) {
    public static final NodeAddress ADDRESS = NodeAddress.of("127.1.1.1", null);

    public static final RingView RING = new RingView("id", "5.0.9", "schema", 0, 0, 0, List.of(), Map.of(), List.of());

    private static final long MEBIBYTE = 1024 * 1024;

    public static TestTargets first() {
        return new TestTargets(new NodeTarget(
                NodeId.of("rides/dc1/node-0"),
                1,
                1,
                true,
                0,
                true,
                false,
                "5.0.9",
                Preset.DEVELOPMENT,
                new RackName("r1"),
                new NodePorts(7000, 7001, 9042, 7070),
                List.of("-9223372036854775808"),
                null,
                new NodeResources(1000, 768 * MEBIBYTE, 256 * MEBIBYTE, 1024 * MEBIBYTE),
                new JvmSpec(JvmSpec.Collector.SERIAL, List.of()),
                Map.of(),
                List.of("http://127.0.0.1:8080"),
                null,
                null));
    }

    /** The same target with the next generation. */
    public TestTargets next() {
        return with("generation", target.generation() + 1);
    }

    public TestTargets spec(long version, Map<String, Object> yaml) {
        return with("specVersion", version).with("cassandraYaml", yaml);
    }

    public TestTargets options(JvmSpec.Collector collector, String... options) {
        return with("jvm", new JvmSpec(collector, List.of(options)));
    }

    public TestTargets run(boolean run, long restarts) {
        return with("run", run).with("restarts", restarts);
    }

    public TestTargets created() {
        return with("firstCreation", false);
    }

    /** The node was NORMAL once. */
    public TestTargets joined() {
        return created().with("joined", true);
    }

    /** The node replaces a dead one. */
    public TestTargets replacing(String endpoint) {
        return created().with("replaces", endpoint);
    }

    public TestTargets production() {
        return with("preset", Preset.PRODUCTION).with("tokens", List.of()).options(JvmSpec.Collector.G1);
    }

    /** The next generation, with a task. */
    public TestTargets task(NodeTask.Kind kind, Map<String, String> args) {
        return next().with("task", new NodeTask("task-" + (target.generation() + 1), kind, args));
    }

    public TestTargets at(NodePorts ports, List<String> servers) {
        return with("ports", ports).with("seedProviderUrls", servers);
    }

    public TestTargets with(String field, @Nullable Object value) {
        if (Arrays.stream(NodeTarget.class.getRecordComponents())
                .noneMatch(c -> c.getName().equals(field))) {
            throw new IllegalArgumentException("a target has no field " + field);
        }
        ObjectNode changed = Json.mapper().valueToTree(target);
        changed.set(field, Json.mapper().valueToTree(value));
        try {
            return new TestTargets(Json.mapper().treeToValue(changed, NodeTarget.class));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
