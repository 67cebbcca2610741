package io.ringmaster.simulator.repository;

/** The process of an actor is killed: no code of it may catch this. */
final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
        super("killed", null, false, false);
    }
}
