package io.ringmaster.model.spec;

/** The defaults of a cluster; a spec can override each of them. */
public enum Preset {
    /** Small and quick to start: client-grade compiler, small caches, memory not locked. For laptops and tests. */
    DEVELOPMENT,
    /** Cassandra's own defaults, its waits at start included. */
    PRODUCTION
}
