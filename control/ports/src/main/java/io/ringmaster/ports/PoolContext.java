package io.ringmaster.ports;

import io.ringmaster.model.name.DatacenterName;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a server gives its pool besides the pool's own settings.
 *
 * @param datacenter the server's own, for names and labels on a platform that several datacenters share
 * @param stateDirectory the server's own, below which the pool may keep files
 * @param locations the directory of the files that describe where backups go, which every node needs; null if the
 *     server names none
 * @param authorities issue the doors of executors
 * @param doors whether executors that are launched get a door; one that has a door always keeps one
 */
public record PoolContext(
        DatacenterName datacenter,
        Path stateDirectory,
        @Nullable Path locations,
        Authorities authorities,
        boolean doors) {}
