package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.Drain;

/** Flushes everything to disk and takes the node out of service. A drain cannot be stopped. */
final class DrainTask implements TaskBody {
    @Override
    public String run(Progress progress) throws Exception {
        progress.at("drains", () -> 0);
        Drain.run();
        return "drained";
    }

    @Override
    public void stop() {}
}
