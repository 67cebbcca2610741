package io.ringmaster.transfer;

import java.io.IOException;

/** A piece of work. After a crash it is started again with the same request and goes on. */
@FunctionalInterface
public interface Work {
    /**
     * Does the work.
     *
     * @return what was achieved, for people
     * @throws IOException it failed; the message names the object and the next step
     */
    String run() throws IOException, InterruptedException;
}
