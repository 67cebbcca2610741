package io.ringmaster.simulator.invariant;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.simulator.world.Declarations;
import io.ringmaster.simulator.world.PoolListener;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** What must hold whenever a pool is commanded. Each method throws a {@link Violation}. */
public final class PoolInvariants implements PoolListener {
    private final World world;
    private final Map<DatacenterName, Long> newestEpochs = new TreeMap<>();
    /** By the name of the allocation, the generation of its last relaunch that did not fail. */
    private final Map<String, Long> relaunched = new TreeMap<>();

    public PoolInvariants(World world) {
        this.world = world;
    }

    /** The server must know, whatever the pool refuses. */
    @Override
    public void commanding(DatacenterName datacenter, int server, String what) {
        if (!world.servers(datacenter).isLeader(server)) {
            throw new Violation(
                    "only-leader-commands-pool", datacenter + "#" + server + " no longer leads and commands " + what);
        }
    }

    @Override
    public void carryingOut(DatacenterName datacenter, long epoch, String what) {
        long newest = newestEpochs.merge(datacenter, epoch, Math::max);
        if (epoch < newest) {
            throw new Violation(
                    "older-epochs-refused",
                    datacenter + " carries out " + what + " of epoch " + epoch + " after a command of epoch " + newest);
        }
    }

    @Override
    public void relaunching(SimNode node, long generation) {
        Long last = relaunched.put(node.name(), generation);
        if (last != null && last >= generation) {
            throw new Violation(
                    "relaunched-once",
                    node.name() + " is launched again for generation " + generation + " after " + last);
        }
    }

    @Override
    public void launchFailed(SimNode node) {
        relaunched.remove(node.name());
    }

    @Override
    public void reservedForOther(Allocation existing, Allocation wanted) {
        throw new Violation(
                "one-node-per-allocation",
                wanted.id() + " of " + existing.node() + " is reserved for " + wanted.node());
    }

    @Override
    public void reserving(DatacenterName datacenter, Allocation wanted) {
        List<NodeRecord> records = world.records(datacenter, NodeRecord.class).stream()
                .filter(n -> n.allocation().id().equals(wanted.id()))
                .toList();
        records.stream().filter(n -> n.replaces() != null).forEach(this::requireOthersUp);
        records.stream().filter(NodeRecord::joined).forEach(n -> {
            throw new Violation("no-volume-lost", "an empty volume replaces the volume of " + n.id());
        });
        List<Allocation> sameMachine = world.nodes(datacenter).values().stream()
                .filter(n -> !n.isReleased())
                .map(SimNode::allocation)
                .filter(a -> a.machine().equals(wanted.machine()))
                .toList();
        if (world.pool(datacenter).kind().hasFixedAddresses()) {
            requireDistinctPorts(sameMachine, wanted);
        }
        requireCapacity(datacenter, sameMachine, wanted);
    }

    private static void requireDistinctPorts(List<Allocation> sameMachine, Allocation wanted) {
        Set<Integer> ports = new HashSet<>(wanted.ports().all());
        sameMachine.forEach(
                a -> a.ports().all().stream().filter(p -> !ports.add(p)).forEach(p -> {
                    throw new Violation("distinct-ports", a.id() + " and " + wanted.id() + " both have port " + p);
                }));
    }

    private void requireCapacity(DatacenterName datacenter, List<Allocation> sameMachine, Allocation wanted) {
        Machine machine = world.park(datacenter).seen(wanted.machine());
        requireRoom(machine, "bytes of memory", machine.memoryBytes(), sameMachine, wanted, a -> a.resources()
                .memoryBytes());
        requireRoom(machine, "thousandths of a CPU", machine.cpuMillis(), sameMachine, wanted, a -> a.resources()
                .cpuMillis());
    }

    private static void requireRoom(
            Machine machine,
            String unit,
            long room,
            List<Allocation> sameMachine,
            Allocation wanted,
            ToLongFunction<Allocation> needs) {
        long needed = needs.applyAsLong(wanted)
                + sameMachine.stream().mapToLong(needs).sum();
        if (needed > room) {
            throw new Violation("capacity", machine.name() + " must hold " + needed + " " + unit);
        }
    }

    /** A replacement that streams while another member is down could read from the only replica left. */
    private void requireOthersUp(NodeRecord replacement) {
        world.members(replacement.id().cluster())
                .filter(n -> !n.id().equals(replacement.id()) && WorldInvariants.isKnownDown(world, n))
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation(
                            "no-replacement-while-down",
                            replacement.id() + " is replaced while " + n.name() + " is down");
                });
    }

    @Override
    public void destroyingVolume(SimNode node) {
        if (world.declarations().isDestroyRequested(node)) {
            return;
        }
        if (!world.declarations().isDiscarded(node)) {
            throw new Violation("no-volume-lost", "no user asked to destroy the volume of " + node.name());
        }
        if (node.isMember() && isOfLive(node)) {
            throw new Violation("no-volume-lost", "the discarded volume of " + node.name() + " is one of a member");
        }
    }

    private boolean isOfLive(SimNode node) {
        Declarations declarations = world.declarations();
        return declarations.isOfExisting(node)
                && declarations.mayHoldData(node.cluster())
                && !declarations.isDeleting(node.cluster());
    }

    /** Its rows are older than those of the node that took over, or of a deleted cluster: they must not come back. */
    @Override
    public void reservingKept(SimNode volume) {
        boolean ofDeleted = volume.joined() && !world.declarations().isOfExisting(volume);
        if (ofDeleted || volume.left() || volume.replaced()) {
            throw new Violation(
                    "kept-volumes-rest",
                    "a node starts on the kept volume " + volume.name()
                            + (ofDeleted ? " of a deleted cluster" : ", which a node has left"));
        }
    }
}
