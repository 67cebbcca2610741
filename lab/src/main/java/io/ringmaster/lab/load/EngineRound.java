package io.ringmaster.lab.load;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.nio.file.Path;

/**
 * One load on one node.
 *
 * @param gcLog what the node's JVM wrote in this time
 */
public record EngineRound(RunOutcome run, NodeUse use, Path gcLog) {
    private static final double TICKS_PER_SECOND = 100;

    /**
     * What a node used while the load ran.
     *
     * @param readBytes from the disk
     * @param writtenBytes to the disk, commit log included
     * @param writtenSinceStart the same since the node was started empty
     * @param spaceBytes of the tables' files at the end
     * @param idleTicks of all processors
     * @param ticks of all processors, at work and idle
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record NodeUse(
            double cpuUs,
            double readBytes,
            double writtenBytes,
            double writtenSinceStart,
            double spaceBytes,
            double idleTicks,
            double ticks) {

        public double idleCores() {
            return idleTicks / ticks * Runtime.getRuntime().availableProcessors();
        }

        public double seconds() {
            return ticks / TICKS_PER_SECOND / Runtime.getRuntime().availableProcessors();
        }
    }
}
