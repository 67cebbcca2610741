package io.ringmaster.lab.ring;

import io.ringmaster.host.FileTree;
import io.ringmaster.lab.machine.LogEnd;
import io.ringmaster.lab.machine.Processor;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Two datacenters of three nodes of stock Cassandra with its defaults, started one after another as Cassandra's
 * documentation recommends: 16 vnodes, one seed in each datacenter, every wait kept. Knows nothing of Ringmaster.
 */
public final class DefaultsRing implements AutoCloseable {
    private static final int DATACENTERS = 2;
    private static final int NODES = 3;
    private static final String NETWORK = "127.91.";
    private static final int HEAP_MIB = 512;
    private static final Duration LIMIT = Duration.ofMinutes(6);
    private static final Map<String, String> SETTINGS =
            Map.of("cluster_name", "defaults", "num_tokens", "16", "allocate_tokens_for_local_replication_factor", "3");

    private final Path folder;
    private final Path jars;
    private final List<Process> nodes = new ArrayList<>();

    /**
     * @param folder for data and logs; deleted on close
     * @param jars folder of Cassandra's jars, see {@link CassandraJars}
     */
    public DefaultsRing(Path folder, Path jars) {
        this.folder = folder;
        this.jars = jars;
    }

    private record Place(int datacenter, int index) {
        String name() {
            return "dc" + datacenter + "-node-" + index;
        }

        String address() {
            return NETWORK + datacenter + "." + (index + 1);
        }
    }

    /**
     * Starts each node when the one before serves, and returns when every node sees every node NORMAL.
     *
     * @param serves gets a line for each node that serves
     * @return seconds
     */
    public double start(Consumer<String> serves) throws IOException, InterruptedException {
        List<Place> places = new ArrayList<>();
        for (int datacenter = 1; datacenter <= DATACENTERS; datacenter++) {
            for (int index = 0; index < NODES; index++) {
                places.add(new Place(datacenter, index));
            }
        }
        for (Place place : places) {
            if (Probe.normalNodes(place.address()) > 0) {
                throw new IOException("a Cassandra listens on " + place.address() + " already: stop it first");
            }
        }
        long begin = System.nanoTime();
        for (Place place : places) {
            start(place);
            await(place, 1);
            serves.accept(place.name() + " serves after " + (System.nanoTime() - begin) / 1_000_000_000 + " s");
        }
        for (Place place : places) {
            await(place, places.size());
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private void start(Place place) throws IOException {
        var node = new StockNode(folder.resolve(place.name()), jars, Jvm.ofThisProcess(), HEAP_MIB);
        List<String> command = node.command(
                new StockNode.Place(
                        place.address(),
                        "dc" + place.datacenter(),
                        "r" + (place.index() + 1),
                        List.of(new Place(1, 0).address(), new Place(2, 0).address())),
                SETTINGS,
                List.of());
        Files.createDirectories(node.home());
        nodes.add(new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(node.output().toFile())
                .start());
    }

    private void await(Place place, int normal) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (Probe.normalNodes(place.address()) < normal) {
            if (System.nanoTime() > deadline || !nodes.stream().allMatch(Process::isAlive)) {
                throw new IOException(place.name() + " does not see " + normal + " nodes NORMAL: "
                        + LogEnd.of(5, folder.resolve(place.name()).resolve("system.log")));
            }
            Thread.sleep(100);
        }
    }

    /** User and system time of all nodes since their start, in seconds. */
    public double cpuSeconds() throws IOException {
        return Processor.sum(nodes.stream().map(Process::pid).toList());
    }

    /** Resident memory of the first node. */
    public long residentBytes() throws IOException {
        return Processor.residentBytes(nodes.get(0).pid());
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(Process::destroyForcibly);
        nodes.forEach(node -> node.onExit().join());
        FileTree.delete(folder);
    }
}
