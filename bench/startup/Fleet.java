import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The addresses of six nodes: datacenters 1 and 2 with three each, on loopback addresses of their own, CQL at 9042. */
record Fleet(int network) {
    static final int DATACENTERS = 2;
    static final int NODES_PER_DATACENTER = 3;
    static final int SIZE = DATACENTERS * NODES_PER_DATACENTER;
    private static final double TIMEOUT_S = 1200;

    record Place(int datacenter, int index, String address) {
        String name() {
            return "dc" + datacenter + "/node-" + index;
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

    /** The addresses of the first node of each datacenter. */
    List<String> seeds() {
        return places().stream().filter(p -> p.index() == 0).map(Place::address).toList();
    }

    /** Seconds after {@code begin} at which each opened CQL, or was found open when those before it had. */
    List<Double> awaitServing(double begin) throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        for (Place place : places()) {
            await(place, 1);
            seconds.add(Startup.rounded(Processor.uptimeSeconds() - begin));
        }
        return seconds;
    }

    /** Waits until each sees every other NORMAL. */
    void awaitAllNormal() throws IOException, InterruptedException {
        for (Place place : places()) {
            await(place, SIZE);
        }
    }

    /** Waits until a node sees that many NORMAL, itself included. */
    static void await(Place place, int normal) throws IOException, InterruptedException {
        double deadline = Processor.uptimeSeconds() + TIMEOUT_S;
        while (Probe.normalNodes(place.address()) < normal) {
            if (Processor.uptimeSeconds() > deadline) {
                throw new IOException(place.name() + " does not see " + normal + " nodes NORMAL");
            }
            Thread.sleep(100);
        }
    }
}
