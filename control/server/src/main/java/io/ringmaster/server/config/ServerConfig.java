package io.ringmaster.server.config;

import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one server.
 *
 * @param listen where the API is served
 * @param url the base URL under which others reach it
 * @param stateDirectory everything this server keeps: embedded ZooKeeper, allocations, log
 * @param tokenFile the API token; made at the first start
 * @param dist the folder with the built programs
 * @param cache Cassandra by version, and what is made from it
 * @param binaries a directory or tarball of Cassandra's jars, or null to get them through Maven
 * @param peers base URLs of the servers of each other datacenter
 * @param zookeeper an external ensemble, or null for the embedded server
 * @param machines what the local pool offers
 * @param automaticReplacements how many nodes of the fleet may be at being replaced at once that nobody asked to replace
 */
public record ServerConfig(
        DatacenterName datacenter,
        InetSocketAddress listen,
        URI url,
        Path stateDirectory,
        Path tokenFile,
        Path dist,
        Path cache,
        @Nullable Path binaries,
        Map<DatacenterName, List<URI>> peers,
        @Nullable ExternalZooKeeper zookeeper,
        List<Machine> machines,
        int automaticReplacements) {

    /**
     * @param connect {@code host:port,host:port}
     * @param secretFile what all servers of the datacenter know and nobody else; null leaves the znodes open
     */
    public record ExternalZooKeeper(String connect, @Nullable Path secretFile) {}

    public ServerConfig {
        peers = Map.copyOf(new TreeMap<>(peers));
        machines = List.copyOf(machines);
    }

    /** Whether only this computer can reach the API. */
    public boolean loopbackOnly() {
        return listen.getAddress() != null && listen.getAddress().isLoopbackAddress();
    }
}
