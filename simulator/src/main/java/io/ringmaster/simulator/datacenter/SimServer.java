package io.ringmaster.simulator.datacenter;

import io.ringmaster.controller.Controller;
import io.ringmaster.controller.SteadyClock;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.mutation.MutatedSteps;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** One server with the real controller. */
public final class SimServer {
    /** The limit of automatic replacements in progress in both datacenters together. */
    public static final int MAX_AUTOMATIC_REPLACEMENTS = 1;

    private static final int TICK_MILLIS = 1000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Datacenter datacenter;
    private final World world;
    private final ServerProcess process;
    private final Controller controller;
    private final SimStore store;
    private final SimPool pool;
    private final SimExecutorClient executors;
    private final SimPeers peers;

    SimServer(Datacenter datacenter, World world, int number) {
        DatacenterName name = datacenter.name();
        this.datacenter = datacenter;
        this.world = world;
        this.process = new ServerProcess(name, number, world.trace());
        this.store = new SimStore(process, world);
        this.pool = new SimPool(process, world);
        this.executors = new SimExecutorClient(process, world);
        this.peers = new SimPeers(process, world, datacenter.network());
        this.controller = new Controller(
                name,
                List.of("http://" + name),
                List.of("http://" + name),
                store,
                pool,
                executors,
                peers,
                new SteadyClock(() -> world.serverClocks().now(name), () -> world.nowMillis() * NANOS_PER_MILLI),
                world.random().nextSeed(),
                event -> process.trace("event " + event.kind() + " " + event.subject() + ": " + event.text()),
                MutatedSteps.of(world.planted()),
                MAX_AUTOMATIC_REPLACEMENTS);
    }

    int number() {
        return process.number();
    }

    SimPool pool() {
        return pool;
    }

    SimPeers peers() {
        return peers;
    }

    /** Whether the server believes that it leads. */
    boolean leads() {
        return process.isAlive() && controller.leads();
    }

    View view() {
        return controller.view();
    }

    void start(long epoch) {
        process.trace("starts with epoch " + epoch);
        pool.start(this::accept, store.poolRecords(epoch));
        executors.start(this::accept);
        peers.start(this::accept);
        enter(c -> c.elected(epoch));
        tick();
    }

    private void tick() {
        if (process.isAlive()) {
            enter(Controller::tick);
            world.clock().after(TICK_MILLIS, this::tick);
        }
    }

    /** The server learns that it lost the lead, and ends. */
    void stop() {
        if (process.isAlive()) {
            enter(Controller::lost);
            end("stops");
        }
    }

    void killAtCall(int calls) {
        process.killAtCall(calls);
    }

    private void accept(Fact fact) {
        enter(c -> c.accept(fact));
    }

    private void enter(Consumer<Controller> action) {
        ask(c -> {
            action.accept(c);
            return true;
        });
    }

    /** Runs the request on the controller's thread; empty if the server is dead or is killed during the request. */
    <T> Optional<T> ask(Function<Controller, T> request) {
        if (!process.isAlive()) {
            return Optional.empty();
        }
        try {
            return Optional.of(request.apply(controller));
        } catch (ServerKilled killed) {
            end("is killed " + killed.getMessage());
            return Optional.empty();
        }
    }

    private void end(String how) {
        process.trace(how);
        process.end();
        datacenter.died(this);
    }
}
