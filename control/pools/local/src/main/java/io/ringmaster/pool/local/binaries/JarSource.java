package io.ringmaster.pool.local.binaries;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Where the jars of a Cassandra version come from. */
interface JarSource {
    /**
     * @param workspace an empty directory that may be used; deleted afterwards
     * @return the jars, anywhere
     */
    List<Path> bring(String cassandraVersion, Path workspace, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException;
}
