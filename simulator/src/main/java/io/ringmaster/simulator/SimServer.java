package io.ringmaster.simulator;

import io.ringmaster.controller.Controller;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** One process with the real controller in it. It may be killed at any call that leaves it. */
final class SimServer {
    private static final int TICK_MILLIS = 1000;

    private final Datacenter datacenter;
    private final World world;
    private final int number;
    private final Controller controller;
    private final SimPool pool;
    private final SimExecutorClient agent;
    private final SimPeers peers;
    private boolean alive = true;
    private int callsToLive = Integer.MAX_VALUE;

    SimServer(Datacenter datacenter, int number) {
        this.datacenter = datacenter;
        this.world = datacenter.world();
        this.number = number;
        this.pool = new SimPool(this);
        this.agent = new SimExecutorClient(this);
        this.peers = new SimPeers(this);
        this.controller = new Controller(
                datacenter.name,
                List.of("http://" + datacenter.name),
                new SimStore(this, datacenter.records, world.plant),
                pool,
                agent,
                peers,
                world.timeline::now,
                world.chance.seed(),
                event -> trace("event " + event.kind() + " " + event.subject() + ": " + event.text()),
                MutatedSteps.of(world.plant),
                RecordInvariants.REPLACEMENTS_AT_ONCE);
    }

    int number() {
        return number;
    }

    Datacenter datacenter() {
        return datacenter;
    }

    World world() {
        return world;
    }

    SimPool pool() {
        return pool;
    }

    SimPeers peers() {
        return peers;
    }

    boolean alive() {
        return alive;
    }

    boolean leads() {
        return alive && controller.leads();
    }

    View view() {
        return controller.view();
    }

    void start(long epoch) {
        trace("starts with epoch " + epoch);
        pool.start(this::hear);
        agent.start(this::hear);
        peers.start(this::hear);
        enter(c -> c.elected(epoch));
        tick();
    }

    private void tick() {
        if (alive) {
            enter(Controller::tick);
            world.timeline.in(TICK_MILLIS, this::tick);
        }
    }

    /** It learns that it leads no more, and ends. */
    void stop() {
        if (alive) {
            enter(Controller::lost);
            end("stops");
        }
    }

    /** It will be killed at the n-th call from now that leaves it. */
    void killAtCall(int calls) {
        callsToLive = calls;
    }

    /** Every call to the outside passes here, before its effect and after it. */
    void calls(String what) {
        if (--callsToLive <= 0) {
            throw new ServerKilled(what);
        }
    }

    private void hear(Fact fact) {
        enter(c -> c.accept(fact));
    }

    private void enter(Consumer<Controller> doing) {
        ask(c -> {
            doing.accept(c);
            return true;
        });
    }

    /** Runs something on the controller's thread; empty if the server is or gets killed. */
    <T> Optional<T> ask(Function<Controller, T> request) {
        if (!alive) {
            return Optional.empty();
        }
        try {
            return Optional.of(request.apply(controller));
        } catch (ServerKilled killed) {
            end("is killed at " + killed.getMessage());
            return Optional.empty();
        }
    }

    private void end(String how) {
        trace(how);
        alive = false;
        datacenter.died(this);
    }

    void trace(String what) {
        world.trace.add(datacenter.name + "#" + number, what);
    }
}
