package io.ringmaster.simulator;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import java.util.Map;
import java.util.TreeMap;

/** A server's way to the machines. What concerns one allocation is done in the order in which it was asked for. */
final class SimPool implements Pool {
    private static final int PICTURE_MILLIS = 10_000;
    private static final double FAILS = 0.05;

    private final SimServer server;
    private final World world;
    private final Map<AllocationId, Long> busyUntil = new TreeMap<>();
    private FactSink facts = fact -> {};

    SimPool(SimServer server) {
        this.server = server;
        this.world = server.world();
    }

    @Override
    public void start(FactSink sink) {
        facts = sink;
        tellPicture();
    }

    private void tellPicture() {
        if (server.alive()) {
            tell(new Fact.PoolSeen(
                    world.machinesThere(server.datacenter().name),
                    here().values().stream().map(SimNode::state).toList()));
            world.timeline.in(PICTURE_MILLIS, this::tellPicture);
        }
    }

    @Override
    public void reserve(Command.Reserve command) {
        ask("reserve", command.allocation().id(), () -> reserveNow(command.allocation()));
    }

    @Override
    public void launch(Command.Launch command) {
        ask("launch", command.allocation().id(), () -> launchNow(command));
    }

    @Override
    public void kill(Command.Kill command) {
        ask("kill", command.allocation(), () -> killNow(command.allocation()));
    }

    @Override
    public void release(Command.Release command) {
        ask(command.destroyVolume() ? "destroy" : "release", command.allocation(), () -> releaseNow(command));
    }

    private void ask(String what, AllocationId id, Runnable effect) {
        server.calls("before " + what + " " + id);
        world.invariants.asksPool(server, what + " " + id);
        server.trace(what + " " + id);
        long now = world.timeline.nowMillis();
        long at = Math.max(now + world.chance.between(1, 150), busyUntil.getOrDefault(id, 0L));
        busyUntil.put(id, at);
        world.timeline.in(at - now, () -> {
            // What a dead server's pool had not begun is never done.
            if (server.alive()) {
                effect.run();
            }
        });
        server.calls("after " + what + " " + id);
    }

    private void reserveNow(Allocation allocation) {
        if (!world.isThere(server.datacenter().name, allocation.machine())) {
            failed(allocation, "its machine is gone");
            return;
        }
        SimNode node = here().get(allocation.id());
        if (node == null) {
            world.invariants.reserves(server.datacenter().name, allocation);
            node = new SimNode(world, allocation);
            here().put(allocation.id(), node);
        } else if (!node.allocation.node().equals(allocation.node())) {
            throw new Violation("one-allocation-one-node", allocation.id() + " is asked for by " + allocation.node());
        } else {
            node.allocation = allocation;
            if (node.claim == AllocationState.Status.RELEASED || node.claim == AllocationState.Status.FAILED) {
                node.claim(AllocationState.Status.RESERVED);
            }
        }
        tell(node);
    }

    private void failed(Allocation allocation, String why) {
        tell(new Fact.AllocationChanged(
                new AllocationState(allocation, AllocationState.Status.FAILED, world.timeline.now(), why, null)));
    }

    private void launchNow(Command.Launch command) {
        SimNode node = here().get(command.allocation().id());
        if (node == null || node.claim == AllocationState.Status.RELEASED) {
            failed(command.allocation(), "not reserved");
            return;
        }
        if (node.executorUp) {
            tell(node);
            return;
        }
        node.claim(AllocationState.Status.LAUNCHING);
        tell(node);
        world.timeline.in(world.chance.between(200, 1200), () -> launched(node, command));
    }

    private void launched(SimNode node, Command.Launch command) {
        if (here().get(node.allocation.id()) != node || node.claim != AllocationState.Status.LAUNCHING) {
            return;
        }
        boolean fails = world.faultsOn(Fault.FAILED_START) && world.chance.one(FAILS);
        if (fails || !node.machineUp()) {
            node.claim(node.machineUp() ? AllocationState.Status.FAILED : AllocationState.Status.EXITED);
        } else {
            node.launched(command.target());
        }
        tell(node);
    }

    private void killNow(AllocationId id) {
        SimNode node = here().get(id);
        if (node != null && node.claim != AllocationState.Status.RELEASED) {
            node.die(true);
            node.claim(AllocationState.Status.RESERVED);
            tell(node);
        }
    }

    private void releaseNow(Command.Release command) {
        SimNode node = here().get(command.allocation());
        if (node == null) {
            tell(new Fact.AllocationGone(command.allocation()));
            return;
        }
        if (world.plant == Mutation.CLAIM_LEFT && !node.joined) {
            return;
        }
        node.die(true);
        if (command.destroyVolume()) {
            world.invariants.destroys(node);
            here().remove(command.allocation());
            tell(new Fact.AllocationGone(command.allocation()));
        } else {
            world.dead.add(node);
            node.claim(AllocationState.Status.RELEASED);
            tell(node);
        }
    }

    /** An executor ended; the pool notices. */
    static void exited(SimNode node, World world) {
        if (node.claim == AllocationState.Status.RUNNING) {
            node.executorUp = false;
            node.claim(AllocationState.Status.EXITED);
            world.datacenter(node.allocation.node().datacenter()).servers().forEach(s -> s.pool()
                    .tell(node));
        }
    }

    private void tell(SimNode node) {
        tell(new Fact.AllocationChanged(node.state()));
    }

    private void tell(Fact fact) {
        Messages.send(world, 1, 200, () -> facts.accept(fact));
    }

    private Map<AllocationId, SimNode> here() {
        return world.nodes(server.datacenter().name);
    }

    @Override
    public void close() {}
}
