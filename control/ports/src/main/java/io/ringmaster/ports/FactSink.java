package io.ringmaster.ports;

import io.ringmaster.model.fact.Fact;

/** Accepts facts from any thread without blocking. */
@FunctionalInterface
public interface FactSink {
    void accept(Fact fact);
}
