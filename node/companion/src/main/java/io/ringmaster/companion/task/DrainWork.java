package io.ringmaster.companion.task;

import org.apache.cassandra.service.StorageService;

/** Takes the node out of service with everything on disk. It cannot be stopped half way. */
final class DrainWork implements Work {
    @Override
    public String run(Progress progress) throws Exception {
        progress.at("drains", () -> 0);
        StorageService.instance.drain();
        return "drained";
    }

    @Override
    public void stop() {}
}
