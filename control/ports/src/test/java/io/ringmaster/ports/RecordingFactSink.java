package io.ringmaster.ports;

import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Records every fact in order of arrival; a test can wait for one. */
public final class RecordingFactSink implements FactSink {
    private final List<Fact> facts = new ArrayList<>();

    @Override
    public synchronized void accept(Fact fact) {
        facts.add(fact);
        notifyAll();
    }

    public synchronized List<Fact> all() {
        return List.copyOf(facts);
    }

    public synchronized <F extends Fact> List<F> all(Class<F> type) {
        return facts.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Drops the recorded facts, so that the next wait sees only later ones. */
    public synchronized void clear() {
        facts.clear();
    }

    /** The first recorded or arriving fact of this kind that satisfies the condition. */
    public synchronized <F extends Fact> F await(Class<F> type, Predicate<F> holds, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            Optional<F> found = all(type).stream().filter(holds).findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            long leftMs = (end - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                throw new AssertionError("no such " + type.getSimpleName() + " within " + limit + "; came: " + facts);
            }
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for " + type.getSimpleName(), e);
            }
        }
    }

    /** Waits for the report of this status. */
    public AllocationState awaitStatus(AllocationId id, AllocationState.Status status, Duration limit) {
        return await(
                        Fact.AllocationChanged.class,
                        f -> f.state().allocation().id().equals(id) && f.state().status() == status,
                        limit)
                .state();
    }
}
