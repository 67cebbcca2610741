package io.ringmaster.model.spec;

/** Which defaults a cluster starts from; every single one can be overridden in the spec. */
public enum Preset {
    /** Small and quick to start: client-grade compiler, small caches, memory not locked. For laptops and tests. */
    DEVELOPMENT,
    /** Cassandra's own defaults, waits included. */
    PRODUCTION
}
