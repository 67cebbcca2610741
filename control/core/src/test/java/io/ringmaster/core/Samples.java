package io.ringmaster.core;

import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Preset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.pcollections.TreePMap;

/** Specs, machines and plans for tests. */
public final class Samples {
    public static final long MIB = 1L << 20;
    public static final long GIB = 1L << 30;
    public static final DatacenterName DC1 = new DatacenterName("dc1");
    public static final DatacenterName DC2 = new DatacenterName("dc2");

    /** The node resources of {@code examples/rides.yaml}. */
    public static final NodeResources SMALL = new NodeResources(1000, GIB, 256 * MIB, 4 * GIB);

    private Samples() {}

    /** @param nodesAndSeeds for dc1, dc2, ... how many nodes and how many of them are seeds */
    public static ClusterSpec spec(String name, int... nodesAndSeeds) {
        List<DatacenterSpec> datacenters = new ArrayList<>();
        for (int i = 0; i < nodesAndSeeds.length; i += 2) {
            datacenters.add(new DatacenterSpec(
                    new DatacenterName("dc" + (i / 2 + 1)), nodesAndSeeds[i], nodesAndSeeds[i + 1], List.of()));
        }
        return new ClusterSpec(
                new ClusterName(name),
                "5.0.9",
                Preset.DEVELOPMENT,
                datacenters,
                SMALL,
                new JvmSpec(JvmSpec.Collector.SERIAL, List.of()),
                Map.of(),
                new PlacementSpec(1));
    }

    /** A machine of 2 cores, 4 GiB and 20 GiB of disk, as in the playground. */
    public static Machine machine(int number, String rack) {
        return new Machine(
                new MachineName("machine-" + number),
                new RackName(rack),
                "127.1.1." + number,
                2000,
                4 * GIB,
                20 * GIB,
                new PortRange(7000, 9999),
                false);
    }

    /** The plan dc1-1 for the cluster {@code rides}. */
    public static Plan plan(String operation, PlanStatus status, Phase... phases) {
        return new Plan(
                new PlanId(DC1, 1),
                Scene.RIDES,
                operation,
                Map.of(),
                1,
                "alice",
                null,
                Scene.NOW,
                status == PlanStatus.COMPLETE ? Scene.NOW : null,
                status,
                List.of(phases),
                List.of(),
                null,
                null);
    }

    public static ClusterRecord cluster(ClusterName name, long specVersion, boolean created) {
        return new ClusterRecord(name, specVersion, created, false, false);
    }

    /** The view once dc2 has reported its part of the spec's cluster. */
    public static View withPeer(View view, SpecRecord spec, boolean created, Instant at) {
        DatacenterReport report = new DatacenterReport(
                DC2,
                List.of(),
                3,
                at,
                List.of(new DatacenterReport.ClusterPart(
                        spec.cluster(), spec, created, false, false, 0, null, List.of(), List.of())));
        return ViewBuilder.builder(view)
                .peers(TreePMap.singleton(DC2, new Observation<>(report, at, null)))
                .knownPeers(Set.of(DC2))
                .build();
    }
}
