package io.ringmaster.companion.task;

/** One kind of long work. */
interface Work {
    /**
     * Does it, on a thread of its own.
     *
     * @return what came of it, in a few words
     */
    String run(Progress progress) throws Exception;

    /** Asks it to end soon. Called again and again until {@link #run} has returned. */
    void stop();
}
