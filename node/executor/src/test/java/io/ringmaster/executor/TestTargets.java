package io.ringmaster.executor;

import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.Preset;
import java.util.List;
import java.util.Map;

/** A target to begin with, and the changes that tests make to it. */
public record TestTargets(NodeTarget target) {
    private static final long MEBIBYTE = 1024 * 1024;

    public static TestTargets first() {
        return new TestTargets(new NodeTarget(
                NodeId.of("rides/dc1/node-0"),
                1,
                1,
                true,
                0,
                true,
                "5.0.9",
                Preset.DEVELOPMENT,
                new RackName("r1"),
                "127.1.1.1",
                new NodePorts(7000, 7001, 9042, 7070),
                List.of("-9223372036854775808"),
                new NodeResources(1000, 768 * MEBIBYTE, 256 * MEBIBYTE, 1024 * MEBIBYTE),
                new JvmSpec(JvmSpec.Collector.SERIAL, List.of()),
                Map.of(),
                List.of("http://127.0.0.1:8080")));
    }

    private TestTargets with(
            long generation,
            long specVersion,
            boolean run,
            long restarts,
            boolean firstCreation,
            Preset preset,
            String address,
            NodePorts ports,
            List<String> tokens,
            JvmSpec jvm,
            Map<String, Object> yaml,
            List<String> servers) {
        return new TestTargets(new NodeTarget(
                target.node(),
                generation,
                specVersion,
                run,
                restarts,
                firstCreation,
                target.cassandraVersion(),
                preset,
                target.rack(),
                address,
                ports,
                tokens,
                target.resources(),
                jvm,
                yaml,
                servers));
    }

    /** The next generation of the same. */
    public TestTargets next() {
        NodeTarget t = target;
        return with(
                t.generation() + 1,
                t.specVersion(),
                t.run(),
                t.restarts(),
                t.firstCreation(),
                t.preset(),
                t.address(),
                t.ports(),
                t.tokens(),
                t.jvm(),
                t.cassandraYaml(),
                t.seedProviderUrls());
    }

    public TestTargets spec(long version, Map<String, Object> yaml) {
        NodeTarget t = target;
        return with(
                t.generation(),
                version,
                t.run(),
                t.restarts(),
                t.firstCreation(),
                t.preset(),
                t.address(),
                t.ports(),
                t.tokens(),
                t.jvm(),
                yaml,
                t.seedProviderUrls());
    }

    public TestTargets options(JvmSpec.Collector collector, String... options) {
        NodeTarget t = target;
        return with(
                t.generation(),
                t.specVersion(),
                t.run(),
                t.restarts(),
                t.firstCreation(),
                t.preset(),
                t.address(),
                t.ports(),
                t.tokens(),
                new JvmSpec(collector, List.of(options)),
                t.cassandraYaml(),
                t.seedProviderUrls());
    }

    public TestTargets run(boolean run, long restarts) {
        NodeTarget t = target;
        return with(
                t.generation(),
                t.specVersion(),
                run,
                restarts,
                t.firstCreation(),
                t.preset(),
                t.address(),
                t.ports(),
                t.tokens(),
                t.jvm(),
                t.cassandraYaml(),
                t.seedProviderUrls());
    }

    public TestTargets created() {
        NodeTarget t = target;
        return with(
                t.generation(),
                t.specVersion(),
                t.run(),
                t.restarts(),
                false,
                t.preset(),
                t.address(),
                t.ports(),
                t.tokens(),
                t.jvm(),
                t.cassandraYaml(),
                t.seedProviderUrls());
    }

    public TestTargets production() {
        NodeTarget t = target;
        return with(
                t.generation(),
                t.specVersion(),
                t.run(),
                t.restarts(),
                t.firstCreation(),
                Preset.PRODUCTION,
                t.address(),
                t.ports(),
                List.of(),
                new JvmSpec(JvmSpec.Collector.G1, List.of()),
                t.cassandraYaml(),
                t.seedProviderUrls());
    }

    public TestTargets at(String address, NodePorts ports, List<String> servers) {
        NodeTarget t = target;
        return with(
                t.generation(),
                t.specVersion(),
                t.run(),
                t.restarts(),
                t.firstCreation(),
                t.preset(),
                address,
                ports,
                t.tokens(),
                t.jvm(),
                t.cassandraYaml(),
                servers);
    }
}
