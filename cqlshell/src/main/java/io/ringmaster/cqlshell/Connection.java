package io.ringmaster.cqlshell;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens a driver session to a cluster, with the endpoints that the API reports. */
final class Connection {
    private Connection() {}

    /**
     * @param datacenter local datacenter, or null for the first one with a NORMAL node
     * @param tls null for a cluster in clear text
     * @param login null for a cluster that lets every client in
     * @param schema whether the driver reads the schema, for completion
     */
    static CqlSession open(
            ClusterStatus status,
            @Nullable String datacenter,
            @Nullable NodeTls tls,
            @Nullable CqlCredentials login,
            boolean schema,
            Duration timeout) {
        ClusterStatus.Part part = choose(status, datacenter);
        List<InetSocketAddress> contacts = part.nodes().stream()
                .filter(n -> n.mode() == OperatingMode.NORMAL)
                .map(NodeState::cqlEndpoint)
                .flatMap(e -> Optional.ofNullable(e).stream())
                .map(Connection::address)
                .toList();
        var config = DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.CONNECTION_SET_KEYSPACE_TIMEOUT, timeout)
                .withDuration(DefaultDriverOption.REQUEST_TRACE_INTERVAL, Duration.ofMillis(50))
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_QUORUM")
                .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, schema)
                .withBoolean(DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED, false)
                .build();
        var session = CqlSession.builder()
                .addContactPoints(contacts)
                .withLocalDatacenter(part.datacenter().value())
                .withConfigLoader(config)
                .withApplicationName("ringmaster cql");
        if (login != null) {
            session.withAuthCredentials(login.user(), login.password().reveal());
        }
        return (tls == null ? session : session.withSslEngineFactory(tls)).build();
    }

    private static ClusterStatus.Part choose(ClusterStatus status, @Nullable String datacenter) {
        if (datacenter != null
                && status.datacenters().stream()
                        .noneMatch(p -> p.datacenter().value().equals(datacenter))) {
            throw new Failure(
                    ExitCode.USAGE,
                    status.cluster() + " is not in datacenter '" + datacenter + "'",
                    "one of "
                            + status.datacenters().stream()
                                    .map(p -> p.datacenter().value())
                                    .toList());
        }
        return status.datacenters().stream()
                .filter(p -> datacenter == null || p.datacenter().value().equals(datacenter))
                .filter(p ->
                        p.nodes().stream().anyMatch(n -> n.mode() == OperatingMode.NORMAL && n.cqlEndpoint() != null))
                .findFirst()
                .orElseThrow(() -> new Failure(
                        ExitCode.UNREACHABLE,
                        "no node of " + status.cluster() + " is NORMAL"
                                + (datacenter == null ? "" : " in " + datacenter),
                        PROGRAM + " cluster status " + status.cluster()));
    }

    private static InetSocketAddress address(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        return new InetSocketAddress(endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
    }
}
