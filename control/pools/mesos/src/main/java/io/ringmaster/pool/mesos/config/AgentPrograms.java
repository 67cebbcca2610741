package io.ringmaster.pool.mesos.config;

import org.jspecify.annotations.Nullable;

/**
 * The programs of a node on an agent, which its operator installs.
 *
 * @param dist the directory of Ringmaster's programs, as {@code ./dev build} makes it
 * @param jars the directory of Cassandra's jars; {@code {cassandra}} in it stands for the version
 * @param java the Java 17 of executor and daemon
 * @param tokenFile the file with the token of all executors, at the same path on the server; null if each executor gets
 *     its own with its task
 */
public record AgentPrograms(String dist, String jars, String java, @Nullable String tokenFile) {
    /** In a path, the place of Cassandra's version. */
    public static final String VERSION = "{cassandra}";

    public String jars(String cassandraVersion) {
        return jars.replace(VERSION, cassandraVersion);
    }
}
