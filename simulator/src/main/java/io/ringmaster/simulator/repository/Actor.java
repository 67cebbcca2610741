package io.ringmaster.simulator.repository;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/** A process. It runs on a thread of its own, but only while it is its turn. */
final class Actor {
    /** What an actor does. */
    @FunctionalInterface
    interface Body {
        void run(Actor self);
    }

    final String name;
    private final Semaphore turn = new Semaphore(0);
    /** It goes on at that time, or when the condition holds. */
    private long wakesAt;

    private BooleanSupplier condition = Actor::never;
    private boolean over;
    private boolean doomed;
    private boolean done;
    private boolean succeeded;

    Actor(String name) {
        this.name = name;
    }

    private static boolean never() {
        return false;
    }

    void sleep(long untilMillis, BooleanSupplier orUntil) {
        wakesAt = untilMillis;
        condition = orUntil;
    }

    boolean isReady(long nowMillis) {
        return wakesAt <= nowMillis || doomed || condition.getAsBoolean();
    }

    long wakesAt() {
        return wakesAt;
    }

    void wake() {
        wakesAt = 0;
        condition = Actor::never;
    }

    void awaitTurn() {
        turn.acquireUninterruptibly();
    }

    void giveTurn() {
        turn.release();
    }

    /** It is killed at its next turn, and not started again. */
    void doom() {
        doomed = true;
    }

    boolean isDoomed() {
        return doomed;
    }

    /** Its work is over. */
    void finish(boolean success) {
        done = true;
        succeeded = success;
    }

    boolean isDone() {
        return done;
    }

    boolean hasSucceeded() {
        return succeeded;
    }

    /** It has no turn any more. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    @Override
    public String toString() {
        return name;
    }
}
