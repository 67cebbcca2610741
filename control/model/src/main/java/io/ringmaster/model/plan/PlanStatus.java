package io.ringmaster.model.plan;

/** Set by the engine and by the user's plan commands; persisted, so that a pause survives a restart. */
public enum PlanStatus {
    RUNNING,
    /** By the user: the running steps finish, no new one begins. */
    PAUSED,
    COMPLETE,
    /** A step failed; nothing more begins until the user retries, force-completes or aborts. */
    FAILED,
    ABORTED,
    /** A newer plan of the same cluster took over. */
    SUPERSEDED;

    public boolean isOver() {
        return this == COMPLETE || this == ABORTED || this == SUPERSEDED;
    }
}
