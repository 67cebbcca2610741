package io.ringmaster.playground.doctor;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The first ports of servers and nodes. */
final class PortsCheck implements Check {
    private static final int FIRST_SERVER_PORT = 8080;
    private static final List<Integer> NODE_PORTS = List.of(7000, 9042);

    @Override
    public Result look(Host host, Demand demand) {
        List<String> taken = host.block().nodeAddresses(demand.datacenters(), demand.machines()).stream()
                .flatMap(a ->
                        NODE_PORTS.stream().filter(p -> !host.canListen(a, p)).map(p -> a + ":" + p))
                .toList();
        if (!taken.isEmpty()) {
            return Result.warn(
                    "ports",
                    "taken: " + String.join(", ", taken),
                    "nothing to do: nodes get other ports; ss -ltnp shows the programs that listen there");
        }
        String servers = IntStream.range(FIRST_SERVER_PORT, FIRST_SERVER_PORT + demand.datacenters())
                .filter(p -> !host.canListen("127.0.0.1", p))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        return Result.ok(
                "ports",
                servers.isEmpty()
                        ? "8080 and following are free, so are 7000 and 9042 of each machine"
                        : "7000 and 9042 of each machine are free; " + servers
                                + " are taken, servers get the next free ports");
    }
}
