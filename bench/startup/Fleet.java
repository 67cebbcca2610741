import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Six places: datacenters 1 and 2 with three nodes each, on loopback addresses of their own. */
record Fleet(int network) {
    static final int NODES_PER_DATACENTER = 3;
    private static final long TIMEOUT_NS = 1_200_000_000_000L;

    record Place(int datacenter, int index, String address) {
        String name() {
            return "dc" + datacenter + "/node-" + index;
        }
    }

    List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (int datacenter = 1; datacenter <= 2; datacenter++) {
            for (int index = 0; index < NODES_PER_DATACENTER; index++) {
                places.add(new Place(datacenter, index, "127." + network + "." + datacenter + "." + (index + 1)));
            }
        }
        return places;
    }

    /** Waits until a node sees that many NORMAL, itself included. */
    static void await(Place place, int normal) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT_NS;
        while (Probe.normalNodes(place.address()) < normal) {
            if (System.nanoTime() > deadline) {
                throw new IOException(place.name() + " does not see " + normal + " nodes NORMAL");
            }
            Thread.sleep(100);
        }
    }
}
