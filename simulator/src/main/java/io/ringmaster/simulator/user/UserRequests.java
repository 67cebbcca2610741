package io.ringmaster.simulator.user;

import io.ringmaster.controller.Controller;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.spec.SpecText;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.simulator.datacenter.ClusterViews;
import io.ringmaster.simulator.datacenter.Datacenter;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.invariant.CaughtExceptions;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends the requests of people to the servers, which may be down, refuse, or die before they answer. */
public final class UserRequests {
    private final World world;
    private final Datacenters datacenters;
    private int parameters;

    public UserRequests(World world, Datacenters datacenters) {
        this.world = world;
        this.datacenters = datacenters;
    }

    /** A value that no parameter of the run has had. */
    int nextParameter() {
        return ++parameters;
    }

    /** Asks the leader of a random datacenter. */
    boolean ask(String what, Function<Controller, Answer<?>> request) {
        return ask(datacenters.get(world.random().pick(World.DATACENTERS)), what, request);
    }

    /** Returns whether the leader accepted the request and lived to answer. */
    boolean ask(Datacenter datacenter, String what, Function<Controller, Answer<?>> request) {
        if (!datacenter.isLed()) {
            return false;
        }
        Optional<Answer<?>> answer = datacenter.ask(request);
        answer.ifPresent(UserRequests::checkRefusal);
        world.trace()
                .add(
                        "user",
                        what + " at " + datacenter.name() + ": "
                                + answer.map(UserRequests::outcome).orElse("no answer"));
        return answer.filter(a -> a instanceof Answer.Accepted<?>).isPresent();
    }

    private static void checkRefusal(Answer<?> answer) {
        if (answer instanceof Answer.Refused<?> refused) {
            CaughtExceptions.check(refused.problems());
        }
    }

    private static String outcome(Answer<?> answer) {
        return answer instanceof Answer.Refused<?> refused
                ? "refused " + refused.problems().stream().map(p -> p.line()).toList()
                : "accepted";
    }

    /**
     * Applies a changed spec at a random datacenter, if the cluster is known there.
     *
     * @return whether it was accepted
     */
    boolean change(ClusterName cluster, Function<ClusterSpec, ClusterSpec> change) {
        return ask("change " + cluster, c -> changed(c, cluster, change, false));
    }

    static Answer<?> changed(
            Controller controller, ClusterName cluster, Function<ClusterSpec, ClusterSpec> change, boolean forced) {
        return ClusterViews.spec(controller.view(), cluster)
                .<Answer<?>>map(spec -> apply(controller, change.apply(spec), forced))
                .orElseGet(() -> Answer.<Object>refused(List.of()));
    }

    static Answer<?> apply(Controller controller, ClusterSpec spec, boolean forced) {
        RestoreOrigin known = controller
                .view()
                .targetSpec(spec.name())
                .filter(s -> Objects.equals(spec.restore(), s.spec().restore()))
                .map(SpecRecord::origin)
                .orElse(null);
        return apply(controller, spec, known, forced);
    }

    /** @param backup what the server reads of the backup that the spec names; null if it names none */
    static Answer<?> apply(Controller controller, ClusterSpec spec, @Nullable RestoreOrigin backup, boolean forced) {
        return controller
                .requests()
                .restoring(backup)
                .applySpec(SpecText.write(spec), spec, null, "user", forced, false);
    }

    /** Returns whether the replacement was accepted. */
    boolean replace(NodeId node) {
        Map<String, String> params = Map.of("node", node.datacenter() + "/" + node.shortName());
        return ask(datacenters.get(node.datacenter()), "replace " + node, c -> c.requests()
                .ask("replace", node.cluster(), params, "user", "", false));
    }

    /** @param keyspace empty for all keyspaces with replicas in both datacenters */
    boolean rebuild(ClusterName cluster, DatacenterName datacenter, DatacenterName from, String keyspace) {
        // Sorted, because the order of Map.of differs between two starts of Java, and the trace must not.
        Map<String, String> params = keyspace.isEmpty()
                ? new TreeMap<>(Map.of("dc", datacenter.value(), "from", from.value()))
                : new TreeMap<>(Map.of("dc", datacenter.value(), "from", from.value(), "keyspaces", keyspace));
        return ask("rebuild " + params + " " + cluster, c -> c.requests()
                .ask("rebuild", cluster, params, "user", "", false));
    }

    /**
     * Orders the destruction of a kept volume.
     *
     * @return whether the order was accepted
     */
    boolean discard(Datacenter datacenter, ClusterName cluster, AllocationId volume) {
        SimNode meant = world.nodes(datacenter.name()).get(volume);
        return ask(datacenter, "discard volume " + volume, c -> {
            try {
                return c.requests().discardVolume(volume, "user", false);
            } finally {
                // Also if the server died before it answered, or does not know the outcome of its commit.
                if (meant != null && isDiscarded(datacenter, cluster, volume)) {
                    world.declarations().discardRequested(meant);
                }
            }
        });
    }

    private boolean isDiscarded(Datacenter datacenter, ClusterName cluster, AllocationId volume) {
        return world.records(datacenter.name(), ClusterRecord.class).stream()
                .filter(c -> c.name().equals(cluster))
                .flatMap(c -> c.volume(volume).stream())
                .anyMatch(KeptVolume::ordered);
    }

    void uncordon(Datacenter datacenter, MachineName machine) {
        ask(datacenter, "uncordon " + machine, c -> c.requests().uncordon(machine, "user"));
    }
}
