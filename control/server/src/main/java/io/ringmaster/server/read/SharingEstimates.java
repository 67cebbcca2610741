package io.ringmaster.server.read;

import io.ringmaster.core.placement.Sharing;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineShape;
import io.ringmaster.model.fleet.SharingEstimate;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.MachineState;
import io.ringmaster.wire.api.SharingAsk;
import io.ringmaster.wire.api.Unanswered;
import io.ringmaster.wire.client.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Estimates how many machines a mix of clusters needs. Reads the shapes and racks of the pools, but not their
 * allocations; changes nothing.
 */
public final class SharingEstimates {
    private static final int SHAPES_LIMIT = 8;
    private static final int RACKS_LIMIT = 100;
    private static final int USUAL_RACKS = 3;

    private final FleetReader fleet;

    public SharingEstimates(FleetReader fleet) {
        this.fleet = fleet;
    }

    /**
     * One estimate for each datacenter that the mix names.
     *
     * @throws ProblemException a spec, a shape or a number is invalid, or no shape is given for a datacenter whose
     *     machines are not known
     */
    public FleetList<SharingEstimate> of(View view, SharingAsk ask) {
        List<ClusterSpec> mix = WhatIfClusters.of(ask.clusters());
        List<MachineShape> given = shapes(ask.machines());
        Integer racks = ask.racks();
        if (racks != null && (racks < 1 || racks > RACKS_LIMIT)) {
            throw refused("racks", racks + " must be in 1-" + RACKS_LIMIT, null);
        }
        Set<DatacenterName> datacenters = WhatIfClusters.datacenters(mix);
        List<Unanswered> unanswered = new ArrayList<>();
        Map<DatacenterName, List<Machine>> pools =
                given.isEmpty() || racks == null ? pools(view, datacenters, unanswered) : Map.of();
        List<SharingEstimate> estimates = new ArrayList<>();
        for (DatacenterName name : datacenters) {
            List<Machine> machines = pools.getOrDefault(name, List.of());
            boolean silent = unanswered.stream().anyMatch(u -> u.datacenter().equals(name));
            if (!silent || !given.isEmpty()) {
                List<MachineShape> shapes = given.isEmpty() ? shapesOf(name, machines) : given;
                estimates.add(Sharing.estimate(name, mix, shapes, racks(racks, machines)));
            }
        }
        return new FleetList<>(estimates, given.isEmpty() ? unanswered : List.of());
    }

    private static List<MachineShape> shapes(List<String> texts) {
        if (texts.size() > SHAPES_LIMIT) {
            throw refused("machines", texts.size() + " shapes, allowed: up to " + SHAPES_LIMIT, null);
        }
        List<MachineShape> shapes = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            try {
                shapes.add(ShapeText.parse(texts.get(i)));
            } catch (IllegalArgumentException e) {
                throw refused("machines[" + i + "]", ThrowableText.of(e), null);
            }
        }
        return shapes;
    }

    private Map<DatacenterName, List<Machine>> pools(
            View view, Set<DatacenterName> datacenters, List<Unanswered> unanswered) {
        Map<DatacenterName, List<Machine>> pools = new TreeMap<>();
        if (datacenters.contains(view.datacenter())) {
            pools.put(view.datacenter(), List.copyOf(view.machines().values()));
        }
        List<DatacenterName> others =
                view.knownPeers().stream().filter(datacenters::contains).toList();
        var asked = fleet.ask(view, others, peer -> peer.machines(Scope.LOCAL).items());
        asked.answers()
                .forEach((name, states) -> pools.put(
                        name, states.stream().map(MachineState::machine).toList()));
        unanswered.addAll(asked.unanswered());
        return pools;
    }

    private static List<MachineShape> shapesOf(DatacenterName datacenter, List<Machine> machines) {
        if (machines.isEmpty()) {
            throw refused(
                    "datacenters." + datacenter,
                    "no machine of '" + datacenter + "' is known",
                    "give the shapes of its machines, such as cpus=32,memory=128GiB,disk=2TiB");
        }
        return machines.stream()
                .sorted(Comparator.comparing(Machine::name))
                .map(MachineShape::of)
                .distinct()
                .toList();
    }

    private static List<RackName> racks(@Nullable Integer given, List<Machine> machines) {
        return given == null && !machines.isEmpty()
                ? machines.stream().map(Machine::rack).distinct().sorted().toList()
                : IntStream.rangeClosed(1, given == null ? USUAL_RACKS : given)
                        .mapToObj(i -> new RackName("r" + i))
                        .toList();
    }

    private static ProblemException refused(String field, String message, @Nullable String nextStep) {
        return ProblemException.of(new Problem(ErrorCode.REQUEST_INVALID, field, message, nextStep));
    }
}
