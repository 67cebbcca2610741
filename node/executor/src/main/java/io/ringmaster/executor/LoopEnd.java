package io.ringmaster.executor;

import io.ringmaster.executor.log.Log;

/**
 * Ends the process when the supervisor's loop dies: an executor that only answers looks healthy and starts nothing. The
 * pool starts another one, which adopts the daemon.
 */
final class LoopEnd implements Thread.UncaughtExceptionHandler {
    private final Runnable halt;

    /** @param halt ends the process at once, without hooks */
    LoopEnd(Runnable halt) {
        this.halt = halt;
    }

    @Override
    public void uncaughtException(Thread loop, Throwable cause) {
        try {
            Log.error("the loop of the executor ends, and so does its process", cause);
        } finally {
            halt.run(); // also when there is no memory for the line
        }
    }
}
