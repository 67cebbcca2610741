package io.ringmaster.server.config;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Pool;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one server.
 *
 * @param listen where the API is served
 * @param url the base URL under which others reach it
 * @param seedUrls the base URLs at which nodes ask for their seeds
 * @param stateDirectory all files of this server: embedded ZooKeeper, allocations, log
 * @param tokenFile the API token; created at the first start
 * @param peers base URLs of the servers of each other datacenter
 * @param zookeeper an external ensemble, or null for the embedded server
 * @param pool the machines of this datacenter
 * @param automaticReplacements the maximum number of automatic replacements in progress, fleet-wide
 * @param backupLocations the directory of the files that describe where backups go
 * @param secrets the directory of the files that hold passwords of roles
 * @param webHosts hosts beside that of the url under which callers without a token may ask, in lower case
 * @param openReads reads need no token; only on loopback
 * @param tls null for plain HTTP
 */
public record ServerConfig(
        DatacenterName datacenter,
        InetSocketAddress listen,
        URI url,
        List<URI> seedUrls,
        Path stateDirectory,
        Path tokenFile,
        Map<DatacenterName, List<URI>> peers,
        @Nullable ExternalZooKeeper zookeeper,
        ConfiguredPool pool,
        int automaticReplacements,
        Path backupLocations,
        Path secrets,
        List<String> webHosts,
        boolean openReads,
        @Nullable TlsSettings tls) {

    /**
     * @param name of its factory and of its section, such as {@code local}
     * @param opener opens the pool, each time that this server starts to lead
     */
    public record ConfiguredPool(String name, Supplier<Pool> opener) {}

    /**
     * @param connect {@code host:port,host:port}
     * @param secretFile a secret of the datacenter's servers; null leaves the znodes readable and writable for
     *     everybody
     */
    public record ExternalZooKeeper(String connect, @Nullable Path secretFile) {}

    public ServerConfig {
        seedUrls = List.copyOf(seedUrls);
        peers = Map.copyOf(new TreeMap<>(peers));
        webHosts = List.copyOf(webHosts);
    }

    /** How long the certificates that this server issues are valid. */
    public Duration certificateLife() {
        return TlsSettings.lifeOf(tls);
    }

    /** All hosts under which callers without a token may ask: nodes ask the seed URLs. */
    public List<String> hosts() {
        return Stream.concat(seedUrls.stream().map(URI::getHost), webHosts.stream())
                .toList();
    }

    /** Whether only this computer can reach the API. */
    public boolean loopbackOnly() {
        return listen.getAddress() != null && listen.getAddress().isLoopbackAddress();
    }
}
