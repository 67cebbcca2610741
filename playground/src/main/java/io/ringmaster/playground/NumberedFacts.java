package io.ringmaster.playground;

import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.FactSink;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers all facts with revisions of its own, because not all come from the wrapped pool. Not thread-safe. */
final class NumberedFacts {
    private final FactSink sink;
    private final Map<AllocationId, AllocationState> reported = new HashMap<>();
    private long revision;

    NumberedFacts(FactSink sink) {
        this.sink = sink;
    }

    void changed(AllocationState state) {
        sink.accept(new Fact.AllocationChanged(numbered(state)));
    }

    void gone(AllocationId id) {
        reported.remove(id);
        sink.accept(new Fact.AllocationGone(id, ++revision));
    }

    void all(List<Machine> machines, Collection<AllocationState> states, PoolCapabilities capabilities) {
        List<AllocationState> all = states.stream().map(this::unlessReported).toList();
        sink.accept(new Fact.PoolSeen(machines, all, capabilities, revision));
    }

    private AllocationState unlessReported(AllocationState state) {
        AllocationState last = reported.get(state.id());
        return last != null && last.withRevision(state.revision()).equals(state) ? last : numbered(state);
    }

    private AllocationState numbered(AllocationState state) {
        AllocationState next = state.withRevision(++revision);
        reported.put(next.id(), next);
        return next;
    }

    void unnumbered(Fact fact) {
        sink.accept(fact);
    }
}
