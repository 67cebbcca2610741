package io.ringmaster.simulator;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.AutomaticReplacement;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.RepairSchedule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Specs that users of the simulator write. */
final class RandomSpecs {
    private static final long MIB = 1L << 20;

    private RandomSpecs() {}

    static ClusterSpec chance(ClusterName name, SeededRandom chance) {
        return new ClusterSpec(
                name,
                "5.0.9",
                Preset.DEVELOPMENT,
                World.DATACENTERS.stream().map(d -> datacenter(d, chance)).toList(),
                new NodeResources(1000, 1024 * MIB, 256 * MIB, 4096 * MIB),
                new JvmSpec(JvmSpec.Collector.SERIAL, List.of()),
                Map.of(),
                new PlacementSpec(1),
                chance.one(0.4) ? new RepairSchedule(60, 1) : null,
                chance.one(0.5) ? new AutomaticReplacement(1) : null);
    }

    private static DatacenterSpec datacenter(DatacenterName name, SeededRandom chance) {
        int nodes = chance.between(3, 4);
        return new DatacenterSpec(name, nodes, chance.between(1, 3), List.of());
    }

    static ClusterSpec withOneDatacenter(ClusterSpec spec) {
        return only(spec, Set.of(spec.datacenters().get(0).name()));
    }

    /** The same without the other datacenters. */
    static ClusterSpec only(ClusterSpec spec, Set<DatacenterName> names) {
        return spec.withDatacenters(spec.datacenters().stream()
                .filter(d -> names.contains(d.name()))
                .toList());
    }

    /** The same with its datacenters in the other order. */
    static ClusterSpec turned(ClusterSpec spec) {
        List<DatacenterSpec> turned = new ArrayList<>(spec.datacenters());
        Collections.reverse(turned);
        return spec.withDatacenters(turned);
    }

    /** The same, unless it has one alone. */
    static ClusterSpec withoutLastDatacenter(ClusterSpec spec) {
        int staying = Math.max(1, spec.datacenters().size() - 1);
        return spec.withDatacenters(spec.datacenters().subList(0, staying));
    }

    /** The same with those datacenters, at the end, that it has not got. */
    static ClusterSpec withAllDatacenters(ClusterSpec spec, SeededRandom chance) {
        List<DatacenterSpec> all = new ArrayList<>(spec.datacenters());
        World.DATACENTERS.stream()
                .filter(d -> spec.datacenter(d).isEmpty())
                .forEach(d -> all.add(datacenter(d, chance)));
        return spec.withDatacenters(all);
    }

    /** The same with one parameter of cassandra.yaml set, and without one that no daemon starts with. */
    static ClusterSpec with(ClusterSpec spec, String parameter, Object value) {
        Map<String, Object> parameters = new TreeMap<>(spec.cassandraYaml());
        parameters.remove(SimNode.REJECTED_PARAMETER);
        if (isRejected(parameters)) {
            parameters.remove(SimNode.LIVE_PARAMETER);
        }
        parameters.put(parameter, value);
        return spec.withCassandraYaml(parameters);
    }

    static boolean isRejected(ClusterSpec spec) {
        return isRejected(spec.cassandraYaml());
    }

    private static boolean isRejected(Map<String, Object> parameters) {
        return parameters.containsKey(SimNode.REJECTED_PARAMETER)
                || Integer.valueOf(0).equals(parameters.get(SimNode.LIVE_PARAMETER));
    }

    /** The same without a parameter. */
    static ClusterSpec without(ClusterSpec spec, String parameter) {
        Map<String, Object> parameters = new TreeMap<>(spec.cassandraYaml());
        parameters.remove(parameter);
        return spec.withCassandraYaml(parameters);
    }

    static ClusterSpec withNodes(ClusterSpec spec, DatacenterName datacenter, int nodes) {
        return spec.withDatacenters(spec.datacenters().stream()
                .map(d -> d.name().equals(datacenter) ? new DatacenterSpec(d.name(), nodes, d.seeds(), d.racks()) : d)
                .toList());
    }
}
