package io.ringmaster.ports;

import io.ringmaster.model.fact.Fact;

/** Takes facts from any thread; never blocks. */
@FunctionalInterface
public interface FactSink {
    void accept(Fact fact);
}
