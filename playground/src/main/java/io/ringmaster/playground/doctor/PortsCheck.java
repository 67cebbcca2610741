package io.ringmaster.playground.doctor;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The first ports of servers and nodes. */
final class PortsCheck implements Check {
    private static final int FIRST_SERVER_PORT = 8080;
    private static final List<Integer> NODE_PORTS = List.of(7000, 9042);

    @Override
    public Result look(Host host, Demand demand) {
        List<String> taken = new ArrayList<>();
        for (String address : demand.addresses()) {
            NODE_PORTS.stream().filter(p -> !host.canListen(address, p)).forEach(p -> taken.add(address + ":" + p));
        }
        if (!taken.isEmpty()) {
            return Result.warn(
                    "ports",
                    "taken: " + String.join(", ", taken),
                    PROGRAM + " playground status shows whether one runs; otherwise nodes get other ports");
        }
        List<Integer> servers = IntStream.range(0, demand.datacenters())
                .map(i -> FIRST_SERVER_PORT + i)
                .filter(p -> !host.canListen("127.0.0.1", p))
                .boxed()
                .toList();
        return servers.isEmpty()
                ? Result.ok("ports", "8080 and following are free, so are 7000 and 9042 of each machine")
                : Result.warn(
                        "ports",
                        "server ports taken: " + servers,
                        "nothing to do: the playground takes the next free ports");
    }
}
