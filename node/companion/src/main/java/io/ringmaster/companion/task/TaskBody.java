package io.ringmaster.companion.task;

/** The work of one kind of task. */
interface TaskBody {
    /**
     * Does the work, on a thread of its own.
     *
     * @return the outcome in a few words
     */
    String run(Progress progress) throws Exception;

    /** Requests an early end. Called repeatedly until {@link #run} has returned. */
    void stop();
}
