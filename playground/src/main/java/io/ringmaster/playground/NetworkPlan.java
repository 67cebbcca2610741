package io.ringmaster.playground;

import io.ringmaster.playground.wan.Subnet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What ip(8) is told, line by line, so that the namespaces have their addresses, reach each other through their tunnels only, and can
 * be reached from here at once. There is no default route: nothing outside this computer is ever answered.
 *
 * @param machines of each datacenter
 * @param prefix of the devices on this side, by which a teardown finds them
 */
record NetworkPlan(int network, int datacenters, int machines, String prefix) {
    /** Each tunnel loses nothing of what one TCP window sends at once. */
    private static final int QUEUE_PACKETS = 10_000;

    /** Devices are named by at most 15 characters. */
    static String prefix(Path directory) {
        return "rm%08x-".formatted(directory.toString().hashCode());
    }

    String device(int datacenter) {
        return prefix + datacenter;
    }

    private String address(int datacenter) {
        return "10." + network + ".0." + datacenter;
    }

    /** For this side of the pair of devices that leads into a datacenter. */
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

    /** For a datacenter's own namespace. */
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
