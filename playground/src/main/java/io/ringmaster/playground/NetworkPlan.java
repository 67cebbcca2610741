package io.ringmaster.playground;

import io.ringmaster.playground.wan.Subnet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The input of ip(8), line by line. The namespaces get their addresses, reach each other only through their tunnels,
 * and are reachable from this computer without delay. Without a default route they never answer anything outside this
 * computer.
 *
 * @param machines machines of each datacenter
 * @param prefix name prefix of the devices on this side, which the teardown searches for
 */
record NetworkPlan(int network, int datacenters, int machines, String prefix) {
    /** Long enough that no tunnel drops packets of one TCP window. */
    private static final int QUEUE_PACKETS = 10_000;

    /** The kernel limits device names to 15 characters. */
    static String prefix(Path directory) {
        return "rm%08x-".formatted(directory.toString().hashCode());
    }

    String device(int datacenter) {
        return prefix + datacenter;
    }

    private String address(int datacenter) {
        return "10." + network + ".0." + datacenter;
    }

    /** Lines for this side of the device pair into a datacenter. */
    List<String> outside(int datacenter, Path namespace) {
        String device = device(datacenter);
        Subnet subnet = new Subnet(network, datacenter);
        return List.of(
                "link add " + device + " type veth peer name home0 netns " + namespace,
                "addr add " + address(datacenter) + "/32 dev " + device,
                "link set " + device + " up",
                "route add " + subnet + " via " + subnet.server() + " dev " + device + " onlink src "
                        + address(datacenter));
    }

    /** Lines for the namespace of a datacenter. */
    List<String> inside(int datacenter) {
        Subnet subnet = new Subnet(network, datacenter);
        List<String> lines = new ArrayList<>(List.of("link set lo up"));
        for (int machine = 1; machine <= machines; machine++) {
            lines.add("addr add " + subnet.machine(machine) + "/32 dev lo");
        }
        lines.add("addr add " + subnet.server() + "/32 dev home0");
        lines.add("link set home0 up");
        lines.add("route add " + address(datacenter) + "/32 dev home0 src " + subnet.server());
        lines.add("link set wan0 up mtu 1500 txqueuelen " + QUEUE_PACKETS);
        IntStream.rangeClosed(1, datacenters)
                .filter(other -> other != datacenter)
                .mapToObj(other -> "route add " + new Subnet(network, other) + " dev wan0 src " + subnet.server())
                .forEach(lines::add);
        return lines;
    }
}
