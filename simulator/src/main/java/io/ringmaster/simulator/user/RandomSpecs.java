package io.ringmaster.simulator.user;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.AutomaticReplacement;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.ClusterSpecBuilder;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.Keep;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.RepairSchedule;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.SimDaemon;
import io.ringmaster.simulator.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Specs that users write, and the changes that they make to them. */
final class RandomSpecs {
    private static final long MIB = 1L << 20;

    private RandomSpecs() {}

    static ClusterSpec create(ClusterName name, SeededRandom random) {
        return new ClusterSpec(
                name,
                "5.0.9",
                Preset.DEVELOPMENT,
                World.DATACENTERS.stream().map(d -> datacenter(d, random)).toList(),
                resources(1000),
                new JvmSpec(JvmSpec.Collector.SERIAL, List.of()),
                Map.of(),
                new PlacementSpec(1),
                random.chance(0.4) ? new RepairSchedule(60, 1) : null,
                random.chance(0.5) ? new AutomaticReplacement(1) : null,
                null,
                null,
                null,
                null);
    }

    /** With what specs of production have, each by chance. */
    static ClusterSpec forProduction(ClusterSpec spec, SeededRandom random) {
        ClusterSpec preset = ClusterSpecBuilder.builder(spec)
                .preset(random.chance(0.7) ? Preset.PRODUCTION : Preset.DEVELOPMENT)
                .build();
        return random.chance(0.6) ? preset.with(new BackupSchedule("main", 60, new Keep(2, 1), 0)) : preset;
    }

    /** TLS between nodes, and often also for CQL clients. */
    static ClusterSpec withTls(ClusterSpec spec, SeededRandom random) {
        return spec.with(new TlsSpec(TlsMode.REQUIRED, random.pick(List.of(ClientTlsMode.values()))));
    }

    private static DatacenterSpec datacenter(DatacenterName name, SeededRandom random) {
        int nodes = random.between(3, 4);
        return new DatacenterSpec(name, nodes, random.between(1, 3), List.of());
    }

    static ClusterSpec withOneDatacenter(ClusterSpec spec) {
        return spec.withDatacenters(spec.datacenters().subList(0, 1));
    }

    static ClusterSpec withDatacentersReversed(ClusterSpec spec) {
        List<DatacenterSpec> reversed = new ArrayList<>(spec.datacenters());
        Collections.reverse(reversed);
        return spec.withDatacenters(reversed);
    }

    /** Keeps at least one datacenter. */
    static ClusterSpec withoutLastDatacenter(ClusterSpec spec) {
        int remaining = Math.max(1, spec.datacenters().size() - 1);
        return spec.withDatacenters(spec.datacenters().subList(0, remaining));
    }

    /** Appends the datacenters that the spec lacks. */
    static ClusterSpec withAllDatacenters(ClusterSpec spec, SeededRandom random) {
        List<DatacenterSpec> all = new ArrayList<>(spec.datacenters());
        World.DATACENTERS.stream()
                .filter(d -> spec.datacenter(d).isEmpty())
                .forEach(d -> all.add(datacenter(d, random)));
        return spec.withDatacenters(all);
    }

    /** Sets one parameter of cassandra.yaml, and removes those that prevent a start. */
    static ClusterSpec with(ClusterSpec spec, String parameter, Object value) {
        Map<String, Object> parameters = new TreeMap<>(spec.cassandraYaml());
        parameters.remove(SimDaemon.REJECTED_PARAMETER);
        if (isRejected(parameters)) {
            parameters.remove(SimDaemon.LIVE_PARAMETER);
        }
        parameters.put(parameter, value);
        return spec.withCassandraYaml(parameters);
    }

    /** Other CPUs for every node. Every machine has room for a node of each cluster. */
    static ClusterSpec withOtherCpus(ClusterSpec spec, SeededRandom random) {
        return ClusterSpecBuilder.builder(spec)
                .resources(resources(500 * random.between(1, 3)))
                .build();
    }

    static ClusterSpec withTwoNodesPerMachine(ClusterSpec spec) {
        return ClusterSpecBuilder.builder(spec).placement(new PlacementSpec(2)).build();
    }

    private static NodeResources resources(int cpuMillis) {
        return new NodeResources(cpuMillis, 1024 * MIB, 256 * MIB, 4096 * MIB);
    }

    static boolean isRejected(ClusterSpec spec) {
        return isRejected(spec.cassandraYaml());
    }

    private static boolean isRejected(Map<String, Object> parameters) {
        return parameters.containsKey(SimDaemon.REJECTED_PARAMETER)
                || Integer.valueOf(0).equals(parameters.get(SimDaemon.LIVE_PARAMETER));
    }

    static ClusterSpec without(ClusterSpec spec, String parameter) {
        Map<String, Object> parameters = new TreeMap<>(spec.cassandraYaml());
        parameters.remove(parameter);
        return spec.withCassandraYaml(parameters);
    }

    static ClusterSpec withNodes(ClusterSpec spec, DatacenterName datacenter, int nodes) {
        return spec.withDatacenters(spec.datacenters().stream()
                .map(d -> d.name().equals(datacenter) ? withNodes(d, nodes) : d)
                .toList());
    }

    /** A spec with more seeds than nodes is never parsed. */
    private static DatacenterSpec withNodes(DatacenterSpec datacenter, int nodes) {
        return new DatacenterSpec(datacenter.name(), nodes, Math.min(datacenter.seeds(), nodes), datacenter.racks());
    }
}
