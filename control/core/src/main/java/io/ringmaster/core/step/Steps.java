package io.ringmaster.core.step;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.StepState;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The catalogue of steps: from what is stored of a step to the step. A new step is one file and one line here. */
public final class Steps {
    private static final Map<String, Function<Map<String, String>, Step>> FACTORIES = Map.ofEntries(
            Map.entry(ReconcileNodes.TYPE, a -> new ReconcileNodes(cluster(a))),
            Map.entry(SyncDatacenter.TYPE, a -> new SyncDatacenter(cluster(a), specVersion(a), datacenter(a))),
            Map.entry(AwaitDatacenter.TYPE, a -> new AwaitDatacenter(cluster(a), specVersion(a), datacenter(a))),
            Map.entry(AcquireLock.TYPE, a -> new AcquireLock(RequestId.of(arg(a, "request")))),
            Map.entry(DeployNode.TYPE, a -> new DeployNode(node(a), specVersion(a))),
            Map.entry(
                    EvacuateNode.TYPE,
                    a -> new EvacuateNode(node(a), new MachineName(arg(a, "machine")), flag(a, "allow_silent_peers"))),
            Map.entry(ReplaceNode.TYPE, a -> new ReplaceNode(node(a), flag(a, "beside_down"))),
            Map.entry(LeaveRing.TYPE, a -> new LeaveRing(node(a), specVersion(a))),
            Map.entry(
                    RestartNode.TYPE,
                    a -> new RestartNode(
                            node(a), flag(a, "together"), flag(a, "allow_silent_peers"), arg(a, "consistency"))),
            Map.entry(RunTask.TYPE, a -> RunTask.of(node(a), a)),
            Map.entry(StartStopNode.TYPE, a -> new StartStopNode(node(a), flag(a, "on"))),
            Map.entry(VerifyRing.TYPE, a -> new VerifyRing(cluster(a), specVersion(a))),
            Map.entry(StopNode.TYPE, a -> new StopNode(node(a))),
            Map.entry(ReleaseNode.TYPE, a -> new ReleaseNode(node(a), flag(a, "destroy_volume"))),
            Map.entry(DestroyVolume.TYPE, a -> new DestroyVolume(cluster(a), new AllocationId(arg(a, "volume")))),
            Map.entry(ForgetCluster.TYPE, a -> new ForgetCluster(cluster(a))));

    private Steps() {}

    /** @throws IllegalArgumentException if no such step is known, as when a newer version stored the plan */
    public static Step of(StepState state) {
        Function<Map<String, String>, Step> factory = FACTORIES.get(state.type());
        if (factory == null) {
            throw new IllegalArgumentException("step '" + state.name() + "' is of unknown type '" + state.type() + "'");
        }
        return factory.apply(state.args());
    }

    /** The step as it stands in a new plan. */
    public static StepState pending(Step step) {
        return pending(step, null);
    }

    /** @param will what it is about to do, for people, or null */
    public static StepState pending(Step step, @Nullable String will) {
        return new StepState(
                step.name(),
                step.type(),
                step.args(),
                Map.of(),
                StepState.Status.PENDING,
                null,
                null,
                will,
                null,
                null);
    }

    /** A phase in which none of the steps has begun. */
    public static Phase phase(String name, Phase.Strategy strategy, Stream<? extends Step> steps) {
        return new Phase(name, strategy, steps.<StepState>map(Steps::pending).toList());
    }

    static String arg(Map<String, String> args, String name) {
        String value = args.get(name);
        if (value == null) {
            throw new IllegalArgumentException("argument '" + name + "' is missing");
        }
        return value;
    }

    private static boolean flag(Map<String, String> args, String name) {
        return Boolean.parseBoolean(arg(args, name));
    }

    private static ClusterName cluster(Map<String, String> args) {
        return new ClusterName(arg(args, "cluster"));
    }

    private static DatacenterName datacenter(Map<String, String> args) {
        return new DatacenterName(arg(args, "datacenter"));
    }

    private static NodeId node(Map<String, String> args) {
        return NodeId.of(arg(args, "node"));
    }

    private static long specVersion(Map<String, String> args) {
        return Long.parseLong(arg(args, "spec_version"));
    }
}
