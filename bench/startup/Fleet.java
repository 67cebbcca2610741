import io.ringmaster.lab.machine.Processor;
import io.ringmaster.lab.ring.Probe;
import io.ringmaster.lab.ring.StockNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses of six nodes: two datacenters of three nodes, each node on its own loopback address with CQL on port
 * 9042.
 *
 * @param network second byte of the addresses
 */
record Fleet(int network) {
    static final int DATACENTERS = 2;
    static final int NODES_PER_DATACENTER = 3;
    static final int SIZE = DATACENTERS * NODES_PER_DATACENTER;
    private static final double TIMEOUT_S = 1200;

    record Place(int datacenter, int index, String address) {
        String name() {
            return "dc" + datacenter + "/node-" + index;
        }

        StockNode.Place stock(List<String> seeds) {
            String rack = "r" + (index % NODES_PER_DATACENTER + 1);
            return new StockNode.Place(address, "dc" + datacenter, rack, seeds);
        }
    }

    List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (int datacenter = 1; datacenter <= DATACENTERS; datacenter++) {
            for (int index = 0; index < NODES_PER_DATACENTER; index++) {
                places.add(new Place(datacenter, index, "127." + network + "." + datacenter + "." + (index + 1)));
            }
        }
        return places;
    }

    /** Returns the address of the first node of each datacenter. */
    List<String> seeds() {
        return places().stream().filter(p -> p.index() == 0).map(Place::address).toList();
    }

    /**
     * Waits until each node has opened CQL. Returns the seconds since {@code start} for each node, in order; a node
     * counts no earlier than the node before it.
     */
    List<Double> awaitServing(double start) throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        for (Place place : places()) {
            await(place, 1);
            seconds.add(Startup.rounded(Processor.uptimeSeconds() - start));
        }
        return seconds;
    }

    /** Waits until each node sees every node NORMAL. */
    void awaitAllNormal() throws IOException, InterruptedException {
        for (Place place : places()) {
            await(place, SIZE);
        }
    }

    /** Waits until a node sees {@code normal} nodes NORMAL, itself included. */
    static void await(Place place, int normal) throws IOException, InterruptedException {
        double deadline = Processor.uptimeSeconds() + TIMEOUT_S;
        while (Probe.normalNodes(place.address()) < normal) {
            if (Processor.uptimeSeconds() > deadline) {
                throw new IOException(place.name() + " does not see " + normal + " nodes NORMAL after " + (long) TIMEOUT_S + " s");
            }
            Thread.sleep(100);
        }
    }
}
