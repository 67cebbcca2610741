package io.ringmaster.pool.local.binaries;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A source of the jars of a Cassandra version. */
interface JarSource {
    /**
     * @param workspace an empty directory for temporary files; deleted afterwards
     * @return the jars, in any directory
     */
    List<Path> fetch(String cassandraVersion, Path workspace, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException;
}
