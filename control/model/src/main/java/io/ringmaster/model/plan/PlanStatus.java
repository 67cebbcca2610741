package io.ringmaster.model.plan;

/**
 * The status of a plan. The engine and the plan commands of the user set it; it is persisted, so that a pause
 * survives a restart.
 */
public enum PlanStatus {
    RUNNING,
    /** Paused by the user: running steps finish, no other step starts. */
    PAUSED,
    COMPLETE,
    /** A step failed; no other step starts until the user retries, force-completes or aborts. */
    FAILED,
    ABORTED,
    /** A newer plan of the same cluster took over. */
    SUPERSEDED;

    public boolean isOver() {
        return this == COMPLETE || this == ABORTED || this == SUPERSEDED;
    }
}
