package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.NodeScreen;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.wire.api.ClusterSummary;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster node}: single nodes and their logs. */
@Command(
        name = "node",
        description = "Show single nodes and their logs.",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "NODE is written rides/dc1/node-0.",
            "Examples:",
            "  ringmaster node list",
            "  ringmaster node logs rides/dc1/node-0"
        })
public final class NodeCommand {
    @ParentCommand
    private SessionSource root;

    @Command(
            name = "list",
            description = "List the nodes of one cluster or of all clusters.",
            footer = {"", "Example:", "  ringmaster node list rides -o json"})
    void list(@Parameters(paramLabel = "CLUSTER", arity = "0..1") @Nullable ClusterName cluster) {
        Session session = root.session();
        RingmasterClient client = session.client();
        List<ClusterName> clusters = cluster != null
                ? List.of(cluster)
                : client.clusters().items().stream()
                        .map(ClusterSummary::cluster)
                        .toList();
        List<NodeState> nodes =
                clusters.stream().flatMap(c -> nodes(client, c).stream()).toList();
        session.print(
                nodes,
                () -> NodeScreen.list(nodes, Instant.now(), session.console().width()));
    }

    @Command(
            name = "show",
            description = "Show the state of one node.",
            footer = {"", "Example:", "  ringmaster node show rides/dc1/node-0"})
    void show(@Parameters(paramLabel = "NODE") NodeId node) {
        Session session = root.session();
        NodeState state = nodes(session.client(), node.cluster()).stream()
                .filter(n -> n.node().equals(node))
                .findFirst()
                .orElseThrow(() -> new Failure(
                        ExitCode.REFUSED,
                        "cluster " + node.cluster() + " has no node " + node,
                        PROGRAM + " node list " + node.cluster()));
        session.print(
                state,
                () -> NodeScreen.show(state, Instant.now(), session.console().width()));
    }

    @Command(
            name = "logs",
            description = "Print the end of one of the node's logs.",
            footer = {"", "Example:", "  ringmaster node logs rides/dc1/node-0 --file gc --lines 50"})
    void logs(
            @Parameters(paramLabel = "NODE") NodeId node,
            @Option(
                            names = "--file",
                            paramLabel = "LOG",
                            defaultValue = "system",
                            description = "system, daemon, gc or executor (default: ${DEFAULT-VALUE}).")
                    String file,
            @Option(
                            names = {"-n", "--lines"},
                            paramLabel = "N",
                            defaultValue = "200",
                            description = "Number of lines (default: ${DEFAULT-VALUE}).")
                    int lines) {
        Session session = root.session();
        String text = session.client().logs(node, file, lines).stripTrailing();
        if (text.isEmpty()) {
            session.console().note(Line.of(node + " has written nothing to its " + file + " log yet"));
        } else {
            session.console().print(text);
        }
    }

    private static List<NodeState> nodes(RingmasterClient client, ClusterName cluster) {
        return client.status(cluster, Scope.FLEET).datacenters().stream()
                .flatMap(d -> d.nodes().stream())
                .toList();
    }
}
