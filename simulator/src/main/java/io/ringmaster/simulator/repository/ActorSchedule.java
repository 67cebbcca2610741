package io.ringmaster.simulator.repository;

import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.Trace;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.invariant.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is. The actor that has the turn chooses the next one, often itself, so few requests need a change of
 * threads; all that happens follows from the seed.
 */
final class ActorSchedule {
    /** Longer than any run. */
    static final long FOREVER_MILLIS = 100_000 * 86_400_000L;

    private static final int LONGEST_REQUEST_MILLIS = 300;

    private final VirtualClock clock = new VirtualClock();
    private final SeededRandom random;
    private final Trace trace;
    private final Executor threads;
    private final Faults faults;
    private final List<Actor> actors = new ArrayList<>();
    private final CountDownLatch allOver = new CountDownLatch(1);
    private boolean stopped;
    private @Nullable RuntimeException failure;

    ActorSchedule(SeededRandom random, Consumer<String> verbose, Executor threads) {
        this.random = random;
        this.trace = new Trace(clock, verbose);
        this.threads = threads;
        this.faults = new Faults(random);
    }

    VirtualClock clock() {
        return clock;
    }

    Trace trace() {
        return trace;
    }

    Faults faults() {
        return faults;
    }

    /** Runs an actor and all that it starts; returns when all are over. The first failure of any ends all. */
    void run(String name, Actor.Body body) throws InterruptedException {
        start(name, body).giveTurn();
        allOver.await();
        if (failure != null) {
            throw failure;
        }
    }

    Actor start(String name, Actor.Body body) {
        var actor = new Actor(name);
        actors.add(actor);
        threads.execute(() -> live(actor, body));
        return actor;
    }

    private void live(Actor actor, Actor.Body body) {
        actor.awaitTurn();
        try {
            requireAlive(actor);
            body.run(actor);
        } catch (Killed e) {
            // it was not started again
        } catch (RuntimeException e) {
            fail(e);
        } catch (Error e) {
            fail(new IllegalStateException(e));
        } finally {
            leave(actor);
        }
    }

    void fail(RuntimeException e) {
        failure = failure == null ? e : failure;
        stopped = true;
    }

    /**
     * Before each request: others may go first, and the actor may be frozen or killed.
     *
     * @param mark whether others judge by the object of the request
     * @return whether the actor is killed after the request
     */
    boolean request(Actor actor, boolean mark) {
        advance(random.between(1, LONGEST_REQUEST_MILLIS));
        if (faults.freezes(mark)) {
            long pause = faults.pauseMillis();
            trace.add(actor.name, "is frozen for " + pause / 1000.0 + " s");
            actor.sleep(clock.nowMillis() + pause, () -> false);
        }
        pass(actor);
        boolean killed = faults.kills();
        if (killed && random.chance(0.5)) {
            trace.add(actor.name, "is killed");
            throw new Killed();
        }
        return killed;
    }

    void sleep(Actor actor, long millis) {
        await(actor, millis, () -> false);
    }

    /** Waits for a condition, at most so long. */
    void await(Actor actor, long millis, BooleanSupplier condition) {
        actor.sleep(clock.nowMillis() + millis, condition);
        pass(actor);
    }

    private void pass(Actor actor) {
        Actor next = next(actor);
        if (next != actor) {
            next.giveTurn();
            actor.awaitTurn();
        }
        actor.wake();
        requireAlive(actor);
    }

    private void requireAlive(Actor actor) {
        if (stopped || actor.isDoomed()) {
            throw new Killed();
        }
    }

    private void leave(Actor actor) {
        actor.end();
        actors.remove(actor);
        if (actors.isEmpty()) {
            allOver.countDown();
        } else {
            next(null).giveTurn();
        }
    }

    /** @param current null if it is over */
    private Actor next(@Nullable Actor current) {
        if (stopped) {
            return current == null ? actors.get(0) : current;
        }
        List<Actor> ready = ready();
        if (ready.isEmpty()) {
            Actor first = actors.stream()
                    .min(Comparator.comparingLong(Actor::wakesAt))
                    .orElseThrow();
            if (first.wakesAt() >= FOREVER_MILLIS) {
                fail(new Violation("no-deadlock", "all actors wait: " + actors));
                return next(current);
            }
            advance(first.wakesAt() - clock.nowMillis());
            ready = ready();
        }
        return current != null && ready.contains(current) && !faults.changesTurn() ? current : random.pick(ready);
    }

    private List<Actor> ready() {
        List<Actor> ready = new ArrayList<>();
        for (Actor actor : actors) {
            if (actor.isReady(clock.nowMillis())) {
                ready.add(actor);
            }
        }
        return ready;
    }

    private void advance(long millis) {
        clock.after(millis, () -> {});
        clock.runUntil(clock.nowMillis() + millis);
    }
}
